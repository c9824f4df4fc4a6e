"""The cache of lint."""
