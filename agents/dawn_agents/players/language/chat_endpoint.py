"""Requests to a server of chat completions: key, time limit, and what is tried again when the server is at fault."""

import os
import queue
import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from dawn_env.players import PlayerUnreachable
from dawn_env.support.optional_packages import optional_imports
from dawn_env.support.safe_text import escape_text, short_repr

with optional_imports():
    import openai

Message = Mapping[str, str]

_ATTEMPTS = 6
"""Requests that a server may leave unanswered, one after another, before it counts as unreachable."""
FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 120.0
"""Seconds before a request is sent again: doubled each time, unless the server says how long to wait."""
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_LONGEST_REASON = 300  # characters


def check_url(url: str) -> None:
    """Raise ``ValueError`` unless ``url`` is that of a server, without a secret in it."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"url: an address such as http://127.0.0.1:8000/v1 expected, not {short_repr(url)}")
    if parts.username is not None or parts.query:
        raise ValueError("url: a secret belongs into a variable of the environment, which key names")


def secret_of(variable: str) -> str:
    """The key that a variable of the environment holds; empty without a name. Raises ``ValueError``."""
    if variable and not _NAME.fullmatch(variable):
        raise ValueError("key: the name of a variable of the environment expected, such as OPENAI_API_KEY")
    if variable and not os.environ.get(variable):
        raise ValueError(f"key: the variable {variable} of the environment is not set")
    return os.environ[variable] if variable else ""


class LateAnswer(Exception):
    """The model's answer did not come within the time limit, or is not needed any longer."""


@dataclass(frozen=True)
class Reply:
    """Answer of a model: its words, arguments of the function it called, and what the server said of it."""

    content: str
    call: str
    """Arguments of the first function that the model called, as JSON; empty where it called none."""
    cut_off: bool
    """Whether the answer ended at the limit of tokens."""
    input_tokens: int
    output_tokens: int
    raw: dict[str, Any]


class ChatEndpoint:
    """A model behind an address. ``unanswered``: requests that had to be sent again, the server being at fault."""

    def __init__(self, url: str, model: str, key: str, seconds: float, settings: Mapping[str, Any]):
        """``key`` as of ``secret_of``; ``settings`` of all requests, such as ``temperature``."""
        self._url, self._seconds, self._settings = url, seconds, {"model": model, **settings}
        self._client = openai.OpenAI(base_url=url, api_key=secret_of(key) or "none", timeout=seconds, max_retries=0)
        self._client.organization = self._client.project = None  # which the package reads from the environment
        self._waiting: queue.SimpleQueue | None = None
        self.unanswered = 0

    def ask(self, messages: Sequence[Message]) -> Reply:
        """The model's reply; raises ``LateAnswer``, and ``PlayerUnreachable`` when the server gives none."""
        send = self._client.chat.completions.create
        for attempt in range(_ATTEMPTS):
            try:
                return _reply(self._within_limit(lambda: send(messages=messages, **self._settings)))
            except openai.APITimeoutError:
                raise LateAnswer from None
            except (openai.RateLimitError, openai.InternalServerError, openai.APIConnectionError) as error:
                problem = error
                self.unanswered += 1
            except (openai.OpenAIError, ValueError) as error:
                raise self._unreachable(error) from error
            if attempt + 1 < _ATTEMPTS:
                time.sleep(_pause(problem, attempt))
        raise self._unreachable(problem)

    def stop(self) -> None:
        """Make ``ask``, waiting in another thread, raise ``LateAnswer``."""
        if waiting := self._waiting:
            waiting.put(LateAnswer())

    def close(self) -> None:
        """Close all connections; the next request reconnects."""
        self._client.close()

    def _within_limit(self, request: Callable[[], Any]) -> Any:
        """Result of a request, which is abandoned past the limit: servers may trickle bytes for hours."""
        found: queue.SimpleQueue = queue.SimpleQueue()

        def run() -> None:
            try:
                found.put(request())
            except Exception as error:  # raised where it is waited for
                found.put(error)

        self._waiting = found
        threading.Thread(target=run, daemon=True).start()
        try:
            result = found.get(timeout=self._seconds)
        except queue.Empty:
            raise LateAnswer from None
        finally:
            self._waiting = None
        if isinstance(result, Exception):
            raise result
        return result

    def _unreachable(self, error: Exception) -> PlayerUnreachable:
        status = f"status {error.status_code}: " if isinstance(error, openai.APIStatusError) else ""
        reason = escape_text(getattr(error, "message", None) or error)[:_LONGEST_REASON]
        cause = f" ({escape_text(error.__cause__)[:_LONGEST_REASON]})" if error.__cause__ else ""
        return PlayerUnreachable(f"{escape_text(self._url)} does not answer: {status}{reason}{cause}")


def _pause(error: Exception, attempt: int) -> float:
    """Seconds until the next request: what the server asks for, or twice as many each time."""
    response = getattr(error, "response", None)
    told = response.headers.get("retry-after", "") if response is not None else ""
    try:
        wanted = float(told)
    except ValueError:  # a date, or nothing
        wanted = FIRST_PAUSE * 2**attempt
    return min(max(wanted, 0.0), _LONGEST_PAUSE)


def _reply(completion: Any) -> Reply:
    """Reply in a chat completion; raises ``ValueError`` for anything else."""
    try:
        choice, usage = completion.choices[0], completion.usage
        message = choice.message
        calls = [call.function.arguments for call in message.tool_calls or () if call.type == "function"]
        return Reply(
            content=message.content or "",
            call=calls[0] if calls else "",
            cut_off=choice.finish_reason == "length",
            input_tokens=int(usage.prompt_tokens) if usage else 0,
            output_tokens=int(usage.completion_tokens) if usage else 0,
            raw=message.model_dump(exclude_none=True, warnings=False),
        )
    except (AttributeError, IndexError, TypeError, ValueError):
        raise ValueError(f"a chat completion expected, not {short_repr(completion)}") from None
