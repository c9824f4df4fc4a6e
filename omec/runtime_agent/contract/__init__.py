"""What OME's model agent and OME's controllers agree on: names of labels and ConfigMaps, and the text of entries.

omec's agent keeps to it in every byte, so that either program can take over from the other.
"""
