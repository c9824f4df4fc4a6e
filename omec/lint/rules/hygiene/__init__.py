"""Rules about what has no effect, and about what nobody uses."""
