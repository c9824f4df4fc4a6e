"""What people ask a cluster: which models are where, which services are up, and what waits for what."""
