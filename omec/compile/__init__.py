"""From plans to Kubernetes objects, and from objects to files."""
