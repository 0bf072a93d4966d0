"""SVG as pixels; needs the extra ``picture``, which brings the font too: every machine draws alike."""

from functools import cache
from io import BytesIO
from pathlib import Path

import numpy as np

from dawn_env.support.optional_packages import optional_imports

with optional_imports():
    import resvg_py
    from matplotlib import get_data_path
    from matplotlib.image import imread


@cache
def _fonts() -> tuple[str, ...]:
    folder = Path(get_data_path()) / "fonts" / "ttf"
    return tuple(str(folder / name) for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf"))


def to_png(svg: str, width: int | None = None) -> bytes:
    """An SVG as PNG, ``width`` pixels wide (as wide as it says by default)."""
    fonts = list(_fonts())
    return resvg_py.svg_to_bytes(
        svg_string=svg, width=width, skip_system_fonts=True, font_files=fonts, sans_serif_family="DejaVu Sans"
    )


def to_array(svg: str, width: int | None = None) -> np.ndarray:
    """An SVG as uint8 ``[height, width, 3]``, red, green and blue."""
    colours = imread(BytesIO(to_png(svg, width)), format="png")[..., :3]
    return np.rint(colours * 255).astype(np.uint8)
