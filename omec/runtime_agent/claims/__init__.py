"""Models on volume claims (``pvc://``): no node has them; a Job reads their files, and the status role says so."""
