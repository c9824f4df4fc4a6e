"""Whether a cluster is as omec's output and agent need it: definitions, OME's own parts, agents, services."""
