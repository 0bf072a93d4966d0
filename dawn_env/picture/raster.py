"""SVG as pixels; needs the extra ``picture``. The font lies beside it, so every machine draws alike."""

from io import BytesIO
from pathlib import Path

import numpy as np

from dawn_env.support.optional_packages import optional_imports

with optional_imports():
    import resvg_py
    from PIL import Image

_FONTS = [str(Path(__file__).parent / "fonts" / name) for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")]


def to_png(svg: str, width: int | None = None) -> bytes:
    """An SVG as PNG, ``width`` pixels wide (as wide as it says by default)."""
    return resvg_py.svg_to_bytes(
        svg_string=svg, width=width, skip_system_fonts=True, font_files=_FONTS, sans_serif_family="DejaVu Sans"
    )


def to_array(svg: str, width: int | None = None) -> np.ndarray:
    """An SVG as uint8 ``[height, width, 3]``, red, green and blue."""
    return np.array(Image.open(BytesIO(to_png(svg, width))).convert("RGB"))
