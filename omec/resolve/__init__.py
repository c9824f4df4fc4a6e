"""OME's decisions on a catalog: inheritance, matching, selection, and the plan of each InferenceService."""
