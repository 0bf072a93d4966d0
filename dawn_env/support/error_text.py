"""Short texts of errors that other packages raise."""

from dawn_env.support.safe_text import plain


def first_line(error: BaseException) -> str:
    """First line of an error's message."""
    lines = str(error).splitlines()
    heading = lines[:2] if lines and lines[0].endswith(":") else lines[:1]
    return plain(" ".join(line.strip() for line in heading)) or type(error).__name__
