"""Pictures of positions from a viewer's sight: SVG, and pixels (extra ``picture``).

``drawing.board_svg`` draws, ``raster`` makes PNG and arrays; ``docs/how-to/analysis.md``.
"""
