"""The command line: one small module per command; only this layer prints."""
