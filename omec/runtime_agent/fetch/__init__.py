"""What pods and Jobs ask for before a model is served, one task a process: ``omec agent fetch``.

docs/weights-container.md is the contract with those who start the containers.
"""
