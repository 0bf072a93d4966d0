"""Secrets: the token that a listening program and its clients share, one line of a file; keys of deals."""

import hmac
import os
import re
import secrets
from pathlib import Path

from dawn_env.errors import BadInput
from dawn_env.support.safe_text import escape_text
from dawn_env.validation.untrusted_json import read_text

_FORM = re.compile(r"[A-Za-z0-9._~+/=-]{16,200}")
_LONGEST = 1 << 12


def read_token(path: str | Path) -> str:
    """The token in a file; raises ``BadInput``. Messages name the file, never what is in it."""
    try:
        token = read_text(path, _LONGEST).strip()
    except OSError as error:
        raise BadInput(f"token: {escape_text(path)} cannot be read: {error.strerror}") from None
    except ValueError:
        token = ""
    if not _FORM.fullmatch(token):
        raise BadInput(f"token: one line of 16 to 200 letters, digits or ._~+/=- expected in {escape_text(path)}")
    return token


def make_token(path: str | Path) -> str:
    """Write a new token to a file that does not exist yet and that only its owner can read; raises ``OSError``."""
    token = secrets.token_urlsafe(32)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(token + "\n")
    return token


def draw_key() -> str:
    """A new key, 32 hexadecimal digits."""
    return secrets.token_hex(16)


def secret_seed(key: str, number: int) -> int:
    """The seed in 0 ... 2**63 - 1 that stands for ``number`` under ``key``; without the key it says nothing of it."""
    return int.from_bytes(hmac.digest(key.encode(), str(number).encode(), "sha256")[:8]) >> 1
