"""Compilation of everything that interactive games need, in stages that report progress."""

from collections.abc import Callable, Iterator

from dawn_agents.frontends.web.analysis_session import hint
from dawn_agents.frontends.web.game_session import HUMAN, Session, Setting
from dawn_agents.players.registry import PLAYERS, make_player
from dawn_env import engine
from dawn_env.events import PUBLIC
from dawn_env.game import Game
from dawn_env.native import library
from dawn_env.native.sources import modules_digest
from dawn_env.observation.player_view import View
from dawn_env.options import GameOptions
from dawn_env.players import choose_action
from dawn_env.support.compiled_code import CACHE_DIR, keeps_code
from dawn_env.support.compiling import COMPILED
from dawn_env.tables import SIDES

_DECISIONS = 40  # of a game in which every kind of message has been made
_BY_NUMBA = COMPILED and library.loaded() is None
_FAMILY = GameOptions(mode="family")
_OPPONENTS = (("heuristic", GameOptions()), ("pretrained", GameOptions()), ("heuristic", _FAMILY))
MODULES = __name__, *(PLAYERS[spec][0] for spec, _ in _OPPONENTS)
"""Modules that, with all that they import, are compiled."""
_STAMP = CACHE_DIR / f"compiled-ahead-{modules_digest(MODULES)}"


def is_compiled() -> bool:
    """Return True if nothing is left to compile, as far as an earlier ``compile_all`` of these sources tells, or if
    nothing can be kept for others."""
    return not _BY_NUMBA or _STAMP.exists() or not keeps_code()


def compile_all() -> Iterator[tuple[float, str]]:
    """Compile stage by stage, or load what is compiled; before each stage the share that is done, and its name."""
    for at, (name, work) in enumerate(_STAGES.items() if _BY_NUMBA else ()):
        yield at / len(_STAGES), name
        work()
    if _BY_NUMBA and keeps_code():
        _STAMP.touch()


def load() -> None:
    """Load what the first question of a game needs, compiled before."""
    _rules()
    _boards(GameOptions(), 1)


def _rules() -> None:
    engine.step()
    Game(1).step(Game(1).legal[0])


def _boards(options: GameOptions, decisions: int = _DECISIONS) -> None:
    """Play the beginning of a game, and make all messages about it."""
    session = Session(Setting(1, options, (HUMAN, HUMAN)))
    for _ in range(decisions):
        for viewer in (*range(SIDES), PUBLIC):
            session.tell(viewer)
        session.enter(session.actor, session.game.legal[0])


def _opponents() -> None:
    for spec, options in _OPPONENTS:
        player, view = make_player(spec), View(Game(1, options).state)
        player.begin_game(view.side, options)
        choose_action(player, view)
        player.close()


_STAGES: dict[str, Callable[[], object]] = {
    "the rules": _rules,
    "the board": lambda: _boards(GameOptions()),
    "family mode": lambda: _boards(_FAMILY),
    "opponents": _opponents,
    "hints": lambda: hint(View(Game(1).state)),
}
