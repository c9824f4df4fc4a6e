"""The in-cluster agent: model downloads, node labels, status."""
