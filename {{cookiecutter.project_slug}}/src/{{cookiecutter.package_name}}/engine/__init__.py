"""What every training needs, whatever it trains: nothing here knows a network, loss or data."""
