"""The game as OpenSpiel has it: a Python game with explicit chance.

Players are 0 and 1: the Democrat and the Communist, or those who bid. Chance is a node with ``CHANCE_OUTCOMES`` equally
likely outcomes after every decision whose consequences need dice or cards; the outcome seeds the generator for them.
The deal follows from ``DEAL_NODES`` of them at the start. So what is applied is deterministic, the history gives the
state, and a search that clones a state does not look at dice to come (``docs/how-to/recipes.md``).
"""

from collections.abc import Callable
from functools import cached_property
from hashlib import blake2b
from typing import NamedTuple

import numpy as np
import pyspiel

from dawn_env import engine
from dawn_env.actions import ACTIONS, ALL_ACTIONS
from dawn_env.errors import IllegalAction
from dawn_env.events.secret_questions import asked_in_secret
from dawn_env.game import Game
from dawn_env.observation.player_view import View
from dawn_env.observation.view_layouts import ViewLayout, layout_of
from dawn_env.open_spiel.structs import ACTION_SPEC, ActionStruct, ObservationStruct, StateStruct
from dawn_env.open_spiel.tensor_observer import DawnObserver
from dawn_env.options import GameOptions
from dawn_env.players import Player, choose_action
from dawn_env.state import DECISIONS, ERRORS, RESULTS, Result, copy_states, new_states
from dawn_env.support.argument_checks import between, integer
from dawn_env.support.safe_text import short_repr
from dawn_env.tables import SIDE_NAMES, SIDES

GAME_NAME = "python_dawn"
CHANCE_OUTCOMES = 256
"""Outcomes of a chance node."""
DEAL_NODES = 4
"""Chance nodes before the deal: games are those of the seeds 0 ... ``CHANCE_OUTCOMES ** DEAL_NODES`` - 1."""
MOST_DECISIONS = 5000
"""Decisions of a game at most. The longest of 115,000 random games had 813; the rules end every game."""

_EQUALLY_LIKELY = [(outcome, 1 / CHANCE_OUTCOMES) for outcome in range(CHANCE_OUTCOMES)]
_SEED_BITS = 53  # of the fraction that a sampler gives
_PARAMETERS = {"extra_support_democrat": 0, "extra_support_communist": 0, "bid": False, "mode": "standard"}
_RUNNING = int(Result.RUNNING)
_CHANCE, _OVER = int(pyspiel.PlayerId.CHANCE), int(pyspiel.PlayerId.TERMINAL)
_RETURNS = {Result.DEMOCRAT: (1.0, -1.0), Result.COMMUNIST: (-1.0, 1.0)}

GAME_TYPE = pyspiel.GameType(
    short_name=GAME_NAME,
    long_name="1989: Dawn of Freedom",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=SIDES,
    min_num_players=SIDES,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    provides_factored_observation_string=True,
    parameter_specification=_PARAMETERS,
)


def _options(parameters: dict) -> GameOptions:
    given = _PARAMETERS | parameters
    support = (given["extra_support_democrat"], given["extra_support_communist"])
    return GameOptions(extra_support=support, bid=given["bid"], mode=given["mode"])


class DawnGame(pyspiel.Game):
    """The rules with the options of ``pyspiel.load_game("python_dawn", {...})``; raises ``BadOptions``."""

    def __init__(self, params: dict | None = None):
        info = pyspiel.GameInfo(
            num_distinct_actions=_options(params or {}).actions, max_chance_outcomes=CHANCE_OUTCOMES, num_players=SIDES,
            min_utility=-1.0, max_utility=1.0, utility_sum=0.0, max_game_length=MOST_DECISIONS,
        )  # fmt: skip
        super().__init__(GAME_TYPE, info, params or {})

    StateStruct, ObservationStruct, ActionStruct = StateStruct, ObservationStruct, ActionStruct

    def action_struct_spec(self) -> tuple[str, str]:
        """Content of an action struct, and an example."""
        return ACTION_SPEC

    @cached_property
    def options(self) -> GameOptions:
        """Options of the game."""
        return _options(self.get_parameters())  # which pickles keep, unlike attributes

    @cached_property
    def layout(self) -> ViewLayout:
        """Content of the observation tensor."""
        return layout_of(self.options)

    def new_initial_state(self) -> "DawnState":
        """A game before the deal."""
        return DawnState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Number of chance nodes at most: those of the deal, and one after every decision."""
        return DEAL_NODES + MOST_DECISIONS

    def make_py_observer(self, iig_obs_type=None, params: dict | None = None) -> DawnObserver:
        """Make a ``DawnObserver`` of this game."""
        return DawnObserver(self.layout, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)

    def state_at(self, position: np.record, knows: int, recall=None) -> "DawnState":
        """A state that goes on from a copy of a ``STATE`` record with a pending decision.

        Its history is empty, and ``knows`` is the player from whose knowledge it was made: ``recall`` is theirs if
        known, and the other's follows from it.
        """
        state = self.new_initial_state()
        state._begin_at(position, knows, recall or Recall())
        return state


def _digest(*parts: bytes) -> bytes:
    return blake2b(b"".join(parts), digest_size=16).digest()


class Recall(NamedTuple):
    """Digest of what one player has seen and done, and of the latest view: information states have perfect recall.

    It depends on nothing but the player's views and actions. Views that are shown while the other is asked something in
    secret are not to be added.
    """

    past: bytes = _digest()
    latest: bytes = b""

    def acted(self, action: int) -> "Recall":
        """Extend a player's recall by an action of theirs."""
        return Recall(_digest(self.past, action.to_bytes(2, "little")), self.latest)

    def saw(self, view: bytes) -> "Recall":
        """Extend a player's recall by a view of theirs, unless it is the latest."""
        latest = _digest(view)
        return self if latest == self.latest else Recall(_digest(self.past, latest), latest)

    def of_other(self) -> "Recall":
        """Stand-in for the opponent's history in a determinization, from the player's own knowledge."""
        return Recall(_digest(b"imagined", self.past))


class DawnState(pyspiel.State):
    """A game before the deal, in progress, waiting for chance, or over."""

    def __init__(self, game: DawnGame):
        super().__init__(game)
        self.record = new_states(1)  # STATE [1]: the position, both hands included
        self._deal = ()  # outcomes so far; None once the cards are dealt
        self._chosen = None  # the action that waits for chance
        self._turn = _CHANCE  # whose, as ``current_player``
        self._recalls = (Recall(),) * SIDES  # by player

    # --- whose turn it is ------------------------------------------------------------------------

    @property
    def position(self) -> Game | None:
        """The whole position, both hands included, as a game of its own; None before the deal."""
        return None if self._is_dealing else Game.of(self.record[0])

    def side_of(self, player: int) -> int:
        """The side a player plays, 0 Democrat or 1 Communist; while they bid, their number."""
        return player ^ int(self.record["swapped"][0])

    @property
    def _is_dealing(self) -> bool:
        return self._deal is not None

    def current_player(self) -> int:
        """0 or 1, or OpenSpiel's numbers for chance and for games that are over."""
        return self._turn

    def is_terminal(self) -> bool:
        """Return True if the game is over."""
        return self._turn == _OVER

    def returns(self) -> list[float]:
        """+1 and -1 by player once the game is over, 0 for a draw and until then."""
        by_side = _RETURNS.get(int(self.record["result"][0]), (0.0, 0.0))
        return [by_side[self.side_of(player)] for player in range(SIDES)]

    # --- actions ---------------------------------------------------------------------------------

    def _legal_actions(self, player: int) -> list[int]:
        return np.flatnonzero(self.record["legal"][0]).tolist()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Numbers that seed what follows, all equally likely."""
        return _EQUALLY_LIKELY

    def _apply_action(self, action: int) -> None:
        if self._is_dealing:
            self._draw_deal(_checked_outcome(action))
        elif self._chosen is not None:
            self._resolve(_checked_outcome(action))
        else:
            self._decide(action)

    def _draw_deal(self, outcome: int) -> None:
        self._deal += (outcome,)
        if len(self._deal) < DEAL_NODES:
            return
        seed = sum(digit * CHANCE_OUTCOMES**place for place, digit in enumerate(self._deal))
        self._deal = None
        engine.reset(self.record, np.array([seed]), self.get_game().options)
        self._record()

    def _decide(self, action: int) -> None:
        """Take an action at once if it needs no chance, else leave it to the chance node."""
        if not 0 <= action < ALL_ACTIONS or not self.record["legal"][0, action]:
            raise IllegalAction(
                f"{short_repr(action)} is not legal at decision {self._question!r}; legal: {self._legal_actions(0)}"
            )
        after = self._advanced(self.record, action)
        recalls = list(self._recalls)
        recalls[self._actor] = recalls[self._actor].acted(action)
        self._recalls = tuple(recalls)
        if after["tape_len"].any():
            self._chosen, self._turn = action, _CHANCE
        else:
            self.record = after
            self._record()

    def _resolve(self, outcome: int) -> None:
        seeded = copy_states(self.record)
        generator = seeded["generator"]  # its words are replaced by a hash of them and of the outcome
        told = blake2b(generator.tobytes() + bytes([outcome]), digest_size=generator.nbytes).digest()
        generator[...] = np.frombuffer(told, generator.dtype).reshape(generator.shape)
        generator[..., 0] |= 1  # never all zero
        self.record, self._chosen = self._advanced(seeded, self._chosen), None
        self._record()

    def _advanced(self, record: np.ndarray, action: int) -> np.ndarray:
        after = copy_states(record)
        engine.advance(after, np.array([action]))
        if error := int(after["error"][0]):
            raise engine.exception_for(error)(ERRORS[error])
        return after

    @property
    def _actor(self) -> int:
        """The player who takes the decision."""
        return self.side_of(int(self.record["actor"][0]))

    def _record(self) -> None:
        """Store the player to act, and extend both players' recall by their view."""
        self._see_turn()
        self._recalls = tuple(self._with_view(recall, player) for player, recall in enumerate(self._recalls))

    def _with_view(self, recall: Recall, player: int) -> Recall:
        """A player's recall with the present view, unless the other is asked something in secret."""
        if asked_in_secret(Game.of(self.record[0]), self.side_of(player)):
            return recall
        return recall.saw(self.seen(player).tobytes())

    def _see_turn(self) -> None:
        self._turn = self._actor if self.record["result"][0] == _RUNNING else _OVER

    # --- what is known ---------------------------------------------------------------------------

    def seen(self, player: int) -> np.ndarray:
        """Observation of a player, int8 [F], with the parts of the game's ``layout``; zeros before the deal."""
        layout = self.get_game().layout
        if self._is_dealing:
            return np.zeros(layout.size, np.int8)
        return layout.one(self.record[0], self.side_of(player))

    def recalled(self, player: int) -> bytes:
        """A digest of all that a player has seen and done."""
        return self._recalls[player].past

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> "DawnState":
        """A state that is the same to a player, all else dealt anew; ``sampler()`` gives fractions in 0 ... 1.

        Its history is empty, as the true one holds the deal. At a chance node of the opponent's choice there is no
        such state: raises ``pyspiel.SpielError`` there. Raises ``ValueError`` for what is no player.
        """
        player = between(player, "player", 0, SIDES - 1)
        if self._is_dealing:
            return self.clone()
        if self._chosen is not None:
            raise pyspiel.SpielError("resample_from_infostate: not at a chance node, whose action may be a secret")
        seed = int(sampler() * 2**_SEED_BITS)
        dealt = engine.redeal(self.record, self.side_of(player), np.array([seed]))
        return self.get_game().state_at(dealt[0], player, self._recalls[player])

    def _begin_at(self, position: np.record, knows: int, recall) -> None:
        self.record[0], self._deal = position, None
        self._see_turn()
        recalls = [recall, recall]
        recalls[1 - knows] = self._with_view(recall.of_other(), 1 - knows)
        self._recalls = tuple(recalls)

    # --- structs ---------------------------------------------------------------------------------

    def to_observation_struct(self, player: int | None = None) -> ObservationStruct:
        """View of ``player``, by default the one to act.

        Raises ``pyspiel.SpielError`` before the deal, and ``ValueError`` for what is no player.
        """
        player = between(self._turn if player is None else player, "player", 0, SIDES - 1)
        if self._is_dealing:
            raise pyspiel.SpielError("to_observation_struct: nothing is seen before the deal")
        return ObservationStruct(View(self.record[0], self.side_of(player)).facts())

    def to_struct(self) -> StateStruct:
        """The whole state: the player to act, and the observations of both."""
        players = () if self._is_dealing else range(SIDES)
        views = [self.to_observation_struct(player).to_dict() for player in players]
        return StateStruct({"current_player": self._turn, "views": views})

    def to_json(self) -> str:
        """The struct of the state as JSON."""
        return self.to_struct().to_json()

    def action_to_struct(self, *arguments: int) -> ActionStruct:
        """The struct of an action of a player, by default of the one to act: ``[player,] action``."""
        *player, action = arguments
        return ActionStruct({"action": self.action_to_string(*(player or [self._turn]), action)})

    def actions_to_struct(self, *arguments) -> ActionStruct:
        """The struct of a list of one action, ``[player,] actions``; raises ``pyspiel.SpielError`` for more or none."""
        *player, actions = arguments
        if len(actions) != 1:
            raise pyspiel.SpielError(f"actions_to_struct: one action expected, not {len(actions)}")
        return self.action_to_struct(*player, *actions)

    def struct_to_actions(self, struct: ActionStruct) -> list[int]:
        """List with the id of the action; raises ``pyspiel.SpielError`` for one that is not legal now."""
        told = struct.to_dict().get("action")
        for action in self.legal_actions():
            if told == self.action_to_string(self._turn, action):
                return [action]
        raise pyspiel.SpielError(f"action {short_repr(told)} is not legal now")

    def validate_action_struct(self, struct: ActionStruct) -> pyspiel.Status:
        """Status that says whether the action is legal now."""
        try:
            self.struct_to_actions(struct)
        except pyspiel.SpielError as error:
            return pyspiel.error_status(str(error))
        return pyspiel.ok_status()

    def apply_action_struct(self, struct: ActionStruct) -> pyspiel.Status:
        """Apply an action if it is legal now; the status says so."""
        status = self.validate_action_struct(struct)
        if status.ok():
            self.apply_action(*self.struct_to_actions(struct))
        return status

    # --- texts -----------------------------------------------------------------------------------

    @property
    def _question(self) -> str:
        return DECISIONS[self.record["decision"][0]]

    def _action_to_string(self, player: int, action: int) -> str:
        return f"chance:{action}" if player == _CHANCE else ACTIONS[action]

    def __str__(self) -> str:
        if self._is_dealing:
            return f"before the deal, outcomes {list(self._deal)}"
        record = self.record[0]
        waits = "" if self._chosen is None else f", {ACTIONS[self._chosen]} waits for chance"
        mark = blake2b(self.record.tobytes(), digest_size=8).hexdigest()
        told = (
            f"over: {RESULTS[record.result]}"
            if self.is_terminal()
            else f"{self._question} of {SIDE_NAMES[record.actor]}"
        )
        return f"turn {record.turn}, round {record.action_round}, VP {record.vp:+d}, {told}{waits}, position {mark}"


def _checked_outcome(outcome: int) -> int:
    number = integer(outcome)
    if number is None or not 0 <= number < CHANCE_OUTCOMES:
        raise IllegalAction(
            f"outcome: an integer 0 ... {CHANCE_OUTCOMES - 1} expected at a chance node, not {short_repr(outcome)}"
        )
    return number


class PlayerBot(pyspiel.Bot):
    """Adapter of a player to OpenSpiel's bot; it is given the view of the side to act, never the state."""

    def __init__(self, player: Player):
        super().__init__()
        self.player = player

    def restart_at(self, state: DawnState) -> None:
        """Begin another game. Nothing needs to be reset: a player's answer depends on the current view only."""

    def step(self, state: DawnState) -> int:
        """The player's action."""
        return choose_action(self.player, View(state.record[0]))


pyspiel.register_game(GAME_TYPE, DawnGame)
