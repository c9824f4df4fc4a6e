"""Where each field of a rendered object comes from (docs/why.md).

Rendering records nothing. The answer is found by experiment: render the service again with one value of its sources
changed, and look what is different. What a field follows is where it comes from; what takes its place when that is
left out is what was overridden. So an answer is right by construction, for whatever the renderer does with a value, and
the plain compile pays nothing. A rendering takes about a millisecond and a service has a few hundred values.
"""
