"""The pods that a repository's manifests lead to, as lint rules look at them: merged, and with the way back."""
