"""The player ``llm``: a language model that is asked decision by decision and answers in words."""

import time
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Literal

from dawn_agents.players.language.answer_reading import read_answer
from dawn_agents.players.language.chat_endpoint import ChatEndpoint, LateAnswer, Reply, check_url, secret_of
from dawn_agents.players.language.prompts import (
    TOOL,
    act_function,
    question_message,
    refusal_message,
    system_message,
    wording,
)
from dawn_agents.players.language.transcripts import Transcript
from dawn_env.actions import action_id
from dawn_env.bids import Offer
from dawn_env.errors import PlayerFailure
from dawn_env.observation.player_view import View, view_seed
from dawn_env.options import GameOptions
from dawn_env.players import PlayerUnreachable, ViewPlayer
from dawn_env.tables import SIDE_NAMES
from dawn_env.views.view_text import facts_text

COUNTED = (
    "requests", "retries", "illegal_answers", "late_answers", "fallbacks", "unanswered", "input_tokens",
    "output_tokens",
)  # fmt: skip
"""What is counted in each game. ``illegal_answers``: not readable or not legal; ``fallbacks``: decisions that the
fallback took; ``unanswered``: requests sent again, the server being at fault."""
_PER_PRICE = 1_000_000  # tokens


@dataclass(frozen=True)
class LlmOptions:
    """Options of ``LlmPlayer`` (``docs/how-to/language-models.md``)."""

    model: str = ""
    url: str = ""
    key: str = ""
    """Name of the variable of the environment that holds the key."""
    detail: Literal["short", "medium", "full"] = "medium"
    answers: Literal["text", "tool"] = "text"
    memory: int = 8
    """Earlier decisions of the game that are shown with a question."""
    notes: bool = False
    retries: int = 2
    fallback: Literal["random", "first", "forfeit"] = "random"
    seconds: float = 120.0
    temperature: float | None = None
    tokens: int | None = None
    effort: str = ""
    input_price: float = 0.0
    output_price: float = 0.0
    """Dollars for a million tokens."""
    transcripts: str = ""

    def __post_init__(self):
        if not self.model or not self.url:
            missing = "url" if self.model else "model"
            raise ValueError(f"{missing} is missing; right would be llm:model=NAME,url=http://127.0.0.1:8000/v1")
        check_url(self.url)
        secret_of(self.key)
        for name in ("memory", "retries", "input_price", "output_price", "temperature"):
            if (value := getattr(self, name)) is not None and value < 0:
                raise ValueError(f"{name}: at least 0 expected, not {value:g}")
        if self.seconds <= 0:
            raise ValueError(f"seconds: more than 0 expected, not {self.seconds:g}")
        if self.tokens is not None and self.tokens < 1:
            raise ValueError(f"tokens: at least 1 expected, not {self.tokens}")

    def request_settings(self) -> dict[str, Any]:
        """Settings of every request; what was not given is left to the server."""
        given = {
            "temperature": self.temperature,
            "max_completion_tokens": self.tokens,
            "reasoning_effort": self.effort or None,
            "tools": [act_function(self.notes)] if self.answers == TOOL else None,
        }
        return {name: value for name, value in given.items() if value is not None}


class LlmPlayer(ViewPlayer):
    """A language model behind any server with the interface of OpenAI's chat completions.

    After an unreadable or illegal answer the model is told what was wrong and asked again, up to ``retries`` times;
    then ``fallback`` decides. A server that does not answer raises ``PlayerUnreachable``.
    """

    one_game_at_a_time = True
    is_external = True
    wants_events = True
    Options = LlmOptions

    def __init__(self, name: str, seed: int, options: LlmOptions):
        super().__init__(name, seed, options)
        self.version = "1." + blake2b(wording().encode(), digest_size=4).hexdigest()
        self._options = options
        self._endpoint = ChatEndpoint(
            options.url, options.model, options.key, options.seconds, options.request_settings()
        )
        self._costs: Counter[str] = Counter()
        self._transcript: Transcript | None = None
        self._begin(0, "standard")

    def _begin(self, side: int, mode: str) -> None:
        options = self._options
        self._system = system_message(side, mode, options.answers, options.notes)
        self._earlier: deque[tuple[str, str]] = deque(maxlen=options.memory)  # short question, answer
        self._heard: list[Mapping[str, Any]] = []  # since the last decision
        self._notes, self._decisions = "", 0
        self._costs = Counter(dict.fromkeys(COUNTED, 0))

    def clone(self) -> "LlmPlayer":
        """Player of the same model for another game."""
        return type(self)(self.name, self.seed, self._options)

    def bid(self, options: GameOptions) -> Offer:
        """The fair offer of an unknown player."""
        self._heard = []
        return super().bid(options)

    def begin_game(self, side: int, options: GameOptions) -> None:
        """Forget the game before, and begin a transcript if they are wanted; raises ``OSError``."""
        heard = self._heard if options.bid else []
        self._begin(side, options.mode)
        self._heard = heard
        self._end_transcript()
        if self._options.transcripts:
            self._transcript = Transcript(self._options.transcripts, SIDE_NAMES[side])
            game = {"side": SIDE_NAMES[side], "rules": options.to_json(), "system": self._system}
            self._transcript.write("game", player=self.name, version=self.version, **game)

    def on_events(self, events: Sequence[Mapping[str, Any]]) -> None:
        """Keep them for the next question."""
        self._heard += events

    def choose(self, view: View) -> int:
        """The action that the model names, or that of the fallback; raises ``PlayerFailure`` to forfeit."""
        heard, self._heard = self._heard, []
        facts = view.facts(heard)
        question = question_message(facts_text(facts, self._options.detail), self._notes)
        messages = [{"role": "system", "content": self._system}]
        for asked, answered in self._earlier:
            messages += [{"role": "user", "content": asked}, {"role": "assistant", "content": answered}]
        messages.append({"role": "user", "content": question})
        self._decisions += 1
        self._write("question", decision=self._decisions, text=question)
        action = self._answer(messages, view.texts)
        took_over = action is None
        if action is None:
            self._costs["fallbacks"] += 1
            action = self._fall_back(view)
        self._write("action", decision=self._decisions, action=action, fallback=took_over)
        self._earlier.append((facts_text(facts, "short"), action))
        return action_id(action)

    def _answer(self, messages: list[dict[str, str]], legal: Sequence[str]) -> str | None:
        """A legal action of the model, None when all tries are used up or it was late."""
        for attempt in range(1 + self._options.retries):
            self._costs["retries"] += attempt > 0
            try:
                reply = self._ask(messages)
            except LateAnswer:
                self._costs["late_answers"] += 1
                self._write("answer", decision=self._decisions, problem=f"late: {self._options.seconds:g} seconds")
                return None
            reading = read_answer(reply.content, reply.call, legal, reply.cut_off)
            if self._options.notes and reading.notes is not None:
                self._notes = reading.notes
            if reading.action is not None:
                return reading.action
            self._costs["illegal_answers"] += 1
            self._write("refusal", decision=self._decisions, problem=reading.problem)
            messages += [
                {"role": "assistant", "content": reply.content or reply.call or "(nothing)"},
                {"role": "user", "content": refusal_message(reading.problem, self._options.answers)},
            ]
        return None

    def _ask(self, messages: Sequence[Mapping[str, str]]) -> Reply:
        """One request, counted; raises ``LateAnswer`` and ``PlayerUnreachable``."""
        self._costs["requests"] += 1
        started, before = time.perf_counter(), self._endpoint.unanswered
        try:
            reply = self._endpoint.ask(messages)
        except PlayerUnreachable as error:
            raise PlayerUnreachable(f"{self.name}: {error}") from error
        finally:
            self._costs["unanswered"] += self._endpoint.unanswered - before
        self._costs["input_tokens"] += reply.input_tokens
        self._costs["output_tokens"] += reply.output_tokens
        seconds = round(time.perf_counter() - started, 3)
        tokens = {"input_tokens": reply.input_tokens, "output_tokens": reply.output_tokens}
        self._write("answer", decision=self._decisions, message=reply.raw, seconds=seconds, **tokens)
        return reply

    def _fall_back(self, view: View) -> str:
        """Text of the action that is taken where the model names none."""
        if self._options.fallback == "forfeit":
            raise PlayerFailure(f"no legal answer in {1 + self._options.retries} tries at {view.decision!r}")
        texts = view.texts
        return texts[view_seed(view, self.seed) % len(texts) if self._options.fallback == "random" else 0]

    def costs(self) -> dict[str, float]:
        """Costs of the game so far: the amounts of ``COUNTED``, and dollars where prices are known."""
        options, found = self._options, dict(self._costs)
        if not (options.input_price or options.output_price):
            return found
        tokens = (found["input_tokens"], options.input_price), (found["output_tokens"], options.output_price)
        return found | {"dollars": round(sum(count * price for count, price in tokens) / _PER_PRICE, 8)}

    def stop_thinking(self) -> None:
        """Return the fallback's decision."""
        self._endpoint.stop()

    def end_game(self, outcome: Mapping[str, Any]) -> None:
        """Write the end of the transcript."""
        self._write("end", **outcome, costs=self.costs())
        self._end_transcript()

    def close(self) -> None:
        """Close files and connections."""
        self._end_transcript()
        self._endpoint.close()

    def _write(self, kind: str, **facts: Any) -> None:
        if self._transcript:
            self._transcript.write(kind, **facts)

    def _end_transcript(self) -> None:
        if self._transcript:
            self._transcript.close()
        self._transcript = None
