"""Text and values from outside (names, messages of programs and packages, file contents) made safe to show."""

import reprlib

_LONGEST = 200  # characters of a quotation
_QUOTE = reprlib.Repr()
_QUOTE.maxlevel, _QUOTE.maxstring, _QUOTE.maxlong, _QUOTE.maxother = 3, 80, 80, 80


def escape_text(text: object) -> str:
    """``text`` with everything that is no printable character written out as in a Python string: ``\\x1b``, ``\\n``.

    So a terminal takes no orders from it, it stays in its line, and it can be written in any encoding of Unicode.
    What is shown by something with a markup of its own (rich, HTML, matplotlib) must besides be told to use none.
    """
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode("ascii") for letter in str(text)
    )


def short_repr(value: object) -> str:
    """``value`` as a message shows it: on one line, of bounded length, control characters escaped."""
    try:
        text = escape_text(" ".join(_QUOTE.repr(value).split()))
    except ValueError:  # a whole number with more digits than Python converts
        return f"a value of type {type(value).__name__} that is too long to show"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def first_line(error: BaseException) -> str:
    """First line of an error's message."""
    lines = str(error).splitlines()
    heading = lines[:2] if lines and lines[0].endswith(":") else lines[:1]
    return escape_text(" ".join(line.strip() for line in heading)) or type(error).__name__
