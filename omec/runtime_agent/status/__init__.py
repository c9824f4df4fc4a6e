"""The status role: what the nodes and the workloads say, gathered into the status of ome.io objects."""
