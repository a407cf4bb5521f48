

FEWEST = 2
"""class folders; of one there is nothing to tell apart"""
