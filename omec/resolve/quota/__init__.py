"""Accelerator quotas: the tree of AcceleratorQuotas as OME's quota manager judges it."""
