"""How much of what rules name is found: manifests that work, broken on purpose, one fault at a time.

A *world* is a small repository without errors: a service of the public manifests of OME with its runtime and model, an
example, or one of ``worlds/``. A *fault* is a function that breaks one place of a world in a way that a rule names. A
*mutant* is a world with one fault in one place; it is found if lint reports the rule meant where it did not before.
A *variation* changes a world in a way that changes nothing, and lint must say the same of it. ``reports/`` holds what
users of OME and of its neighbours have reported.

    python -m tests.mutants --help
"""
