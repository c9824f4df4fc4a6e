"""The node role: brings models onto one node, and tells the cluster what is there."""
