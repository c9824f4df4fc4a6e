"""Speed and memory of the commands, as ratios that mean the same on every machine: ``python -m benchmarks``."""
