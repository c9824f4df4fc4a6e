"""Components of mode OMENative in a cluster without OME: LeaderWorkerSets and Deployments.

Pods of a LeaderWorkerSet and of a Deployment get what OME's controller would give them as far as these can: the labels
and variables by role, spreading and co-location, the pace of updates. What they cannot is a finding
(:mod:`omec.compile.native.kubernetes.losses`).
"""
