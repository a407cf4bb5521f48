"""What every training needs, whatever it trains: nothing here knows a network, a loss or the data."""
