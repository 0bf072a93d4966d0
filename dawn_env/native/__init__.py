"""The compiled library of this machine, and digests of the sources that compiled code is made from."""
