"""Mode OMENative: components as standalone InferenceReplicas (reference 05).

OME's controller projects an InferenceService into InferenceReplicas that it owns. A static compiler cannot own
anything, so omec derives the same values (:mod:`.projection`) and writes them as replicas that stand alone
(:mod:`.replica`), with the objects beside them that only an InferenceService gets from OME. :mod:`.admission` and
:mod:`.fronting` judge replicas and the services in front of them as OME's webhooks do; :mod:`.instances` and
:mod:`.revision` say what the replica controller will make of one.
"""
