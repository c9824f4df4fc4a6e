"""The cache of lint: what a run found, under a key made of everything that the answer depends on (docs/linting.md)."""
