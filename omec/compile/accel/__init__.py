"""Which AcceleratorClass a component runs on, and why (reference 03)."""
