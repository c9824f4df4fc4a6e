"""Bringing the files of one model into one directory: whole and verified, or not at all.

Knows nothing of Kubernetes, so that the node role, the Job for claims and init containers can share it.
"""
