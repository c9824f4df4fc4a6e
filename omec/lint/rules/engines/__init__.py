"""Rules about what the command lines of inference servers ask for."""
