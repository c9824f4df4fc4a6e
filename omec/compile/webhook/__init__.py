"""What OME's webhook does to pods, for clusters without OME (reference 04 §16)."""
