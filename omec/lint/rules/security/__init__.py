"""Rules about what must not stand in a manifest."""
