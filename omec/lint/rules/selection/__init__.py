"""Rules about which runtime a model gets."""
