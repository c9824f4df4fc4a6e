"""Suppressions: what manifests themselves say about findings that are meant to be."""
