"""Seeds of deals that players from outside must not guess: they depend on a secret key."""

import hmac
import secrets


def draw_key() -> str:
    """A new key, 32 hexadecimal digits."""
    return secrets.token_hex(16)


def secret_seed(key: str, number: int) -> int:
    """The seed in 0 ... 2**63 - 1 that stands for ``number`` under ``key``; without the key it says nothing of it."""
    return int.from_bytes(hmac.digest(key.encode(), str(number).encode(), "sha256")[:8]) >> 1
