"""Tasks done somewhere: in this process, in processes of this machine, or on the machines of a Ray cluster.

``with Processes(4) as executor: for result in executor.done(...)`` is all that the rest needs to know.
"""
