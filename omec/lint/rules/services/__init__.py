"""Rules about InferenceServices: what they are made of, how they scale."""
