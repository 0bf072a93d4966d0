"""Packages that only some parts need, and the command that installs them."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from dawn_env.errors import MissingExtra

EXTRAS = {
    "numba": ("numba", "llvmlite"),
    "native": ("ziglang", "numba", "llvmlite"),
    "ray": ("ray",),
    "openspiel": ("open_spiel",),
    "picture": ("resvg_py", "PIL"),
    "reports": ("matplotlib", "jinja2", "markupsafe"),
    "train": ("torch", "stable_baselines3", "sb3_contrib", "tensorboard", "matplotlib", "numba"),
    "dataset": ("pyarrow",),
    "minari": ("minari", "h5py"),
    "wandb": ("wandb",),
    "trackio": ("trackio",),
    "llm": ("openai",),
    "web": ("fastapi", "starlette", "uvicorn", "websockets"),
    "mcp": ("mcp", "starlette", "uvicorn"),
}
"""Modules per extra of ``pyproject.toml``."""


def install_hint(modules: list[str], extra: str) -> str:
    """Modules that are missing, and the command that installs them."""
    return f"{', '.join(modules)} not installed; to install: pip install {_origin(extra)}"


def _origin(extra: str) -> str:
    """Requirement of this package with an extra, for pip: its wheel or folder, or its name if it came from an index.

    The name is no answer elsewhere: an index may have another package of that name.
    """
    try:
        told = json.loads(distribution("dawn_env").read_text("direct_url.json") or "{}")
    except PackageNotFoundError:  # a clone on the path
        return f"-e '{Path(__file__).resolve().parents[2]}[{extra}]'"
    editable = "-e " if told.get("dir_info", {}).get("editable") else ""
    path = url2pathname(urlsplit(told.get("url", "")).path)
    return f"{editable}'{path or 'dawn_env'}[{extra}]'"


@contextmanager
def optional_imports() -> Iterator[None]:
    """Around imports that may lack an extra: raises ``MissingExtra``, an ``ImportError``, that names it."""
    try:
        yield
    except ModuleNotFoundError as error:
        module = (error.name or "").partition(".")[0]
        for extra, modules in EXTRAS.items():
            if module in modules:
                raise MissingExtra(install_hint([module], extra), name=module) from error
        raise


def require_extra(extra: str) -> None:
    """Exit with status 2 and one line on stderr unless every package of an extra is installed.

    Commands call this after parsing their arguments, so that ``--help`` works without the extra.
    """
    if missing := [module for module in EXTRAS[extra] if find_spec(module) is None]:
        print(f"{Path(sys.argv[0]).stem}: {install_hint(missing, extra)}", file=sys.stderr)
        raise SystemExit(2)
