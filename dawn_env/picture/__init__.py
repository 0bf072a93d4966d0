"""A position as a picture: SVG made from what a viewer sees, and pixels made from that (extra ``picture``).

``drawing.board_svg`` draws, ``raster`` makes PNG and arrays; ``docs/picture.md``.
"""
