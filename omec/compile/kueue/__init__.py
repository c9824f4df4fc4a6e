"""Kueue: the queues that a tree of AcceleratorQuotas stands for."""
