"""The Kubernetes API as the agent uses it: plain JSON objects in and out, list and watch, server-side apply."""
