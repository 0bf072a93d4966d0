"""Foundations: compiling and its cache, checks of arguments, seeds, progress, safe texts."""
