"""Text from outside (names, messages of programs, file contents) made safe to show."""


def plain(text: object) -> str:
    """``text`` with everything that is no printable character written out as in a Python string: ``\\x1b``, ``\\n``.

    So a terminal takes no orders from it, it stays in its line, and it can be written in any encoding of Unicode.
    What is shown by something with a markup of its own (rich, HTML, matplotlib) must besides be told to use none.
    """
    return "".join(letter if letter.isprintable() else _written_out(letter) for letter in str(text))


def _written_out(letter: str) -> str:
    return letter.encode("unicode_escape").decode("ascii")
