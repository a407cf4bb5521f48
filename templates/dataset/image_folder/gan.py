

FEWEST = 1
"""class folders; images that lie in the folder itself are one class"""
