"""Tasks done somewhere: in this process, in processes of this machine, or on the machines of a Ray cluster.

``place.Executor`` is all that the rest needs to know: ``with open_place(...) as place: for result in place.done(...)``.
"""
