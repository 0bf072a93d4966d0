"""Parts of zip archives, such as policy files and what torch saves, read and replaced."""

import zipfile


def parts_of(file) -> dict[str, bytes]:
    """Contents of an archive by name."""
    with zipfile.ZipFile(file) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def write_parts(file, parts: dict[str, bytes | str], compression: int = zipfile.ZIP_STORED) -> None:
    """Write an archive of these parts."""
    with zipfile.ZipFile(file, "w", compression) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
