"""Training runs of ``dawn train`` and ``dawn exploit``: begun, resumed, interrupted, reported."""

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from dawn_agents.command_line import first_interrupt, game_option_words, typed_command
from dawn_agents.players.afterstate.value_files import SHIPPED, read_values
from dawn_agents.players.networks.policy_metadata import read_sparse_policy
from dawn_agents.players.registry import make_player
from dawn_agents.players.sparse_player import PRETRAINED
from dawn_agents.tournaments.match import refusal
from dawn_agents.tournaments.rating.estimates import Score, percent
from dawn_agents.tournaments.reporting.tables import Sheet, console
from dawn_agents.training.afterstate_learner import RESPONSE
from dawn_agents.training.checkpoint import FILE
from dawn_agents.training.learner import EXPLOITERS, learner_class
from dawn_agents.training.policy_matches import Scores, score_table
from dawn_agents.training.training_config import Config, ConfigError, changed_tables, load_config, parse_config
from dawn_agents.training.training_loop import CONFIG_FILE, PLOT_FILE, Training
from dawn_env.glossary import counted
from dawn_env.options import STANDARD
from dawn_env.support.atomic_files import atomic_write, write_json
from dawn_env.support.safe_text import escape_text
from dawn_env.tables import SIDE_NAMES

_NEVER = 10**9  # league.freeze_every of best responses, whose opponent does not change
_TABLES: dict[str, dict[str, dict[str, Any]]] = {
    "sparse-ppo": {
        "run": {"learner": "sparse-ppo:ema_decay=0.98"},
        "games": {"at_once": 512},
        "ppo": {"steps": 64, "batch_size": 4096, "epochs": 1, "gamma": 1.0, "entropy": 0.001, "value_warmup": 3},
        "checkpoint": {"every": 10},
        "evaluation": {"times": 6, "games": 400, "final_games": 1000},
    },
    "afterstate": {
        "run": {"learner": "afterstate"},
        "games": {"at_once": 64},
        "afterstate": RESPONSE,
        "checkpoint": {"every": 40},
        "evaluation": {"times": 6, "games": 50, "final_games": 300},
    },
}  # fmt: skip
"""Default settings of best-response training, by learner; command-line options override them."""
_STARTS = {"sparse-ppo": PRETRAINED, "afterstate": SHIPPED}
"""Folders of the policies that it begins with where none are given."""


def train(options: argparse.Namespace) -> None:
    """Begin or resume a run of policies for both sides, and report; raises ``KeyboardInterrupt`` after Ctrl-C."""
    with _running(_resumed(options.resume, "train") if options.resume else _new_policies(options)) as training:
        _iterate(training)
        greedy, sampled = training.finish()
        played = "looking ahead" if sampled is None else "greedy (the likeliest actions)"
        console().print(score_table(greedy, f"Policies kept, {played}"))
        if sampled is not None:
            console().print(score_table(sampled, "The same policies, sampled actions"))
        _print_files(training)
        print(f"plot: {training.folder / PLOT_FILE}")
        if next_words := next_steps(training):
            print(next_words)


def exploit(options: argparse.Namespace) -> None:
    """Begin or resume a search for a best response, and report; raises ``KeyboardInterrupt`` after Ctrl-C."""
    with _running(_resumed(options.resume, "exploit") if options.resume else _new_response(options)) as training:
        start = _kept_start(training)
        begun = {side: training.learner.load(start / f"{side}.zip")[0] for side in training.sides}
        _iterate(training)
        after, _ = training.finish()
        before = training.evaluate(training.config.evaluation.final_games, "final", begun)
        (name,) = training.anchors
        rows = [
            (side, f"{before[side, name].rate:.1%}", str(score), str(score.games)) for (side, _), score in after.items()
        ]
        headings = ("side", "begun with", "best response (95% interval)", "games")
        console().print(Sheet(f"Best responses to {escape_text(name)}", headings, rows))
        print(sentence(escape_text(name), after))
        _print_files(training)
        if options.json:
            write_json(_to_json(training, before, after), options.json)


# --- beginning ---------------------------------------------------------------------------------


def _new_policies(options: argparse.Namespace) -> Training:
    if options.config is None:
        found = learner_class(options.learner)
        config = parse_config(changed_tables(found.settings, options.changes))
        return _new_training(config, options.out or Path("runs") / found.__name__.lower())
    config = load_config(options.config, options.changes)
    try:
        return _new_training(config, options.out or Path("runs") / options.config.stem)
    except ConfigError as error:
        raise ConfigError(f"{options.config}: {error}") from error


def _new_response(options: argparse.Namespace) -> Training:
    target = make_player(options.target)
    config = parse_config(_response_settings(options, target.name))
    for side in config.run.sides:
        if reason := refusal(target, 1 - SIDE_NAMES.index(side), STANDARD):
            raise ConfigError(f"{reason}; a best response to it is sought with --side")
    folder = options.out or Path("runs") / f"exploit-{''.join(c if c.isalnum() else '-' for c in options.target)}"
    return _new_training(config, folder)


def _response_settings(options: argparse.Namespace, target: str) -> dict[str, dict[str, Any]]:
    """Tables of settings (``training_config``) of a new run against ``target``; raises ``PolicyFileError`` and
    ``ConfigError`` for policies that it cannot begin with."""
    learner = options.learner or EXPLOITERS[0]
    tables, start = _TABLES[learner], options.start or _STARTS[learner]
    run = tables["run"] | {"start": str(start)} | _given(options, "side", "threads", "seed")
    read = read_values if learner == "afterstate" else read_sparse_policy
    networks = []
    for side in (run["side"],) if run.get("side", "both") != "both" else SIDE_NAMES:
        info, _ = read(start / f"{side}.zip")
        if info.side != side:
            raise ConfigError(f"{start / f'{side}.zip'} is a policy of the {info.side}, not of the {side}")
        networks.append(info.network)
    if learner == "afterstate":
        shape = {"afterstate": tables["afterstate"] | {"width": networks[0].width, "opponent": target}}
    else:
        shape = {"network": asdict(networks[0])}
    league = {"newest": 0.0, "past": 0.0, "anchors": {target: 1.0}, "freeze_every": _NEVER}
    limits = {"decisions": 10_000_000} | _given(options, "decisions", "minutes")
    matches = tables["evaluation"]
    if options.games:
        matches = matches | {"games": min(options.games, matches["games"]), "final_games": options.games}
    return tables | shape | {"run": run, "league": league, "evaluation": matches, "limits": limits}


def _given(options: argparse.Namespace, *names: str) -> dict[str, Any]:
    return {name: getattr(options, name) for name in names if getattr(options, name) is not None}


def _new_training(config: Config, folder: Path) -> Training:
    """A new run in a folder; raises ``ConfigError`` where there is one already."""
    if (folder / CONFIG_FILE).exists() or (folder / FILE).exists():
        raise ConfigError(f"{folder} holds a run already: go on with --resume {folder}, or name another --out")
    return Training(config, folder)


def _resumed(folder: Path, command: str) -> Training:
    """The run of a folder; raises ``ConfigError`` for one that ``command``, ``train`` or ``exploit``, has not begun."""
    training = Training.resume(folder)
    if command != (right := "exploit" if training.config.league.freeze_every == _NEVER else "train"):
        training.close()
        raise ConfigError(f"{folder} is a run of dawn {right}: go on with dawn {right} --resume {folder}")
    return training


def _kept_start(training: Training) -> Path:
    """Folder, in that of the run, of copies of the policies it started from: it may be resumed elsewhere."""
    kept = training.folder / "start"
    kept.mkdir(exist_ok=True)
    for name in (f"{side}.zip" for side in training.sides):
        if not (kept / name).exists():
            with atomic_write(kept / name, "wb") as file:
                file.write((Path(training.config.run.start or ".") / name).read_bytes())
    return kept


# --- running -----------------------------------------------------------------------------------


@contextmanager
def _running(training: Training) -> Iterator[Training]:
    """Close a run in the end; after Ctrl-C say how to go on."""
    try:
        yield training
    except KeyboardInterrupt:
        print(f"go on with --resume {training.folder}", file=sys.stderr)
        raise
    finally:
        training.close()


def _iterate(training: Training) -> None:
    """Run until a limit is reached; raises ``KeyboardInterrupt`` after Ctrl-C, once all is saved."""

    def stop() -> None:
        training.stop = True
        again = "Ctrl-C again: at once, back to the last checkpoint"
        print(f"\nending after this iteration or game ({again})", file=sys.stderr)

    source = "" if training.config.run.threads else " (OMP_NUM_THREADS or all cores; run.threads overrides)"
    print(f"training uses {counted(training.threads, 'thread')}{source}", file=sys.stderr)
    with first_interrupt(stop):
        training.run()
    if training.stop:
        raise KeyboardInterrupt


def _print_files(training: Training) -> None:
    for side in training.sides:
        print(f"{side}: {training.policy_path(side)}")


def next_steps(training: Training) -> str:
    """Commands that measure a policy of the run and play against it; empty for policies that no player plays."""
    side = training.sides[0]
    if not (player := training.learner.specification(training.policy_path(side))):
        return ""
    other = SIDE_NAMES[1 - SIDE_NAMES.index(side)]
    game = game_option_words(training.config.games.options)
    measuring = ("evaluate", player, "--side", side)
    if game:  # the standing scale is of the standard game
        measuring = ("tournament", "--format", "gauntlet", "--players", player, "heuristic", *game)
    commands = (measuring, ("play", "--as", other, "--against", player, *game), ("web", "--player", player))
    return "\n  ".join(["next:", *(typed_command(*words) for words in commands)])


# --- the report of a best response ---------------------------------------------------------------


def sentence(target: str, after: Scores) -> str:
    """Lower bounds of the target's losses on each side it plays: the low ends of the best responses' intervals."""
    lows = {SIDE_NAMES[1 - SIDE_NAMES.index(side)]: score.interval()[0] for (side, _), score in after.items()}
    sides = " and ".join(f"{percent(low)} as {side.title()}" for side, low in lows.items())
    both = f", {percent(sum(lows.values()) / len(lows))} in the mean" if len(lows) > 1 else ""
    return f"{target} loses at least {sides}{both} to a policy trained against it."


def _to_json(training: Training, before: Scores, after: Scores) -> dict[str, Any]:
    """The result for programs, with what it took."""

    def told(score: Score) -> dict[str, Any]:
        low, high = score.interval()
        return {"games": score.games, "points": score.rate, "low": low, "high": high}

    (target,), run = training.anchors, training.config.run
    sides = {
        side: {"start": told(before[side, target]), "best_response": told(score)} for (side, _), score in after.items()
    }
    return {
        "format": 1,
        "target": target,
        "start": run.start,
        "seed": run.seed,
        "minutes": round(training.seconds / 60, 1),
        "decisions": training.decisions,
        "sides": sides,
    }
