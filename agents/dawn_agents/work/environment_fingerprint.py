"""Installed versions, for checks that all machines of a cluster agree."""

from collections.abc import Callable, Mapping

PACKAGES = ("dawn_env", "dawn_agents")
LIBRARIES = ("numpy", "numba", "scipy", "torch", "stable_baselines3")
"""What results depend on; an extra that is missing shows in them too."""
NONE = "none"


def fingerprint_function() -> Callable[[], dict[str, str]]:
    """Function that returns the versions of Python, this project's code and libraries on the machine that calls it.

    It is a closure, so it travels as it is to machines that do not have this module, and imports what it needs.
    """
    packages, libraries, none = PACKAGES, LIBRARIES, NONE

    def tell() -> dict[str, str]:
        import hashlib
        import platform
        from importlib import metadata, util
        from pathlib import Path

        def code(package: str) -> str:
            found = util.find_spec(package)
            if found is None or found.origin is None:
                return none
            folder, digest = Path(found.origin).parent, hashlib.sha256()
            for path in sorted(folder.rglob("*")):
                if path.suffix in (".py", ".csv", ".json", ".zip"):
                    digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
            return digest.hexdigest()[:12]

        def version(library: str) -> str:
            try:
                return metadata.version(library)
            except metadata.PackageNotFoundError:
                return none

        versions = {"Python": platform.python_version()}
        return versions | {name: code(name) for name in packages} | {name: version(name) for name in libraries}

    return tell


def difference(mine: Mapping[str, str], theirs: Mapping[str, str]) -> str:
    """Differences of another machine from this one, and the remedy; empty if there are none."""
    wrong = [name for name in mine if theirs.get(name, NONE) != mine[name]]
    if not wrong:
        return ""
    if "dawn_env" in wrong and theirs.get("dawn_env", NONE) == NONE:
        return "has no dawn_env: install it there, with the same extras as here"
    differences = ", ".join(f"{name} {theirs.get(name, NONE)} (here {mine[name]})" for name in wrong)
    return f"has other versions: {differences}; install the same on all machines"
