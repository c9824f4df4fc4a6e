"""Rules about what comes out when a runtime, its parents and an InferenceService are merged."""
