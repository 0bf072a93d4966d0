"""Programs as players: the example bot, everything a bot can do wrong, and what it is told."""

import errno
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from bots import write_bot
from dawn_agents.commands import check_bot, tournament
from dawn_agents.players.external.isolation import can_isolate, in_view, own_processes
from dawn_agents.players.external.line_program import LineProgram, program_problem
from dawn_agents.players.external.process_player import ProcessPlayer
from dawn_agents.players.registry import make_player
from dawn_agents.players.specification import BadSpec
from dawn_agents.tournaments.match import Pairing, play_games
from hidden_cards import random_positions
from paths import ROOT
from processes import Tether
from tables import table

from dawn_env.actions import OFFER0, POINTS0
from dawn_env.errors import PlayerFailure
from dawn_env.game import Game
from dawn_env.observation import TABLE, observe
from dawn_env.observation.player_view import View
from dawn_env.options import STANDARD
from dawn_env.tables import DEMOCRAT
from dawn_env.views.named_parts import named_view

BID = {"bid": True}
EXAMPLE = f"{sys.executable} {ROOT / 'docs/examples/bot.py'}"


@pytest.fixture
def player(tmp_path):
    """A function that makes a player of a bot changed by a few lines of Python; they are closed afterwards."""
    made = []

    def make(changes: str = "", settings: str = "seconds=5") -> ProcessPlayer:
        made.append(make_player(write_bot(tmp_path / f"bot{len(made)}.py", changes, f"{settings},"), seed=3))
        return made[-1]

    yield make
    for one in made:
        one.close()


def decide(player: ProcessPlayer, game: Game | None = None) -> int:
    """Begin a game and make its first decision."""
    game = game or Game(1)
    player.begin_game(game.actor, STANDARD)
    action = player.choose(View(game.state))
    game.step(action)
    return action


def failure(player: ProcessPlayer) -> str:
    """How it fails in its first decision; nothing of it is left running."""
    with pytest.raises(PlayerFailure) as caught:
        decide(player)
    assert player._program is None
    return str(caught.value)


# --- a bot that does right ---------------------------------------------------------------------------


BIDDING = """
def heard(command):
    if command["command"] == "bid" and command["rules"]["bid"]:
        say({"offer": OFFER})
"""


@pytest.mark.parametrize(("points", "place"), [("2", 0), ("2.0", 1)])
def test_a_bot_is_asked_for_its_offer_and_told_the_side_it_gave(player, points, place):
    """The larger offer for the Democrat: the bot plays the Communist, whichever of the two it is."""
    bot = player(BIDDING.replace("OFFER", f'{{"side": "democrat", "points": {points}}}'))
    ((_, outcome),) = play_games([Pairing(0, *(bot, make_player("greedy", 1))[:: 1 - 2 * place])], options=BID)
    assert not outcome.failure and outcome.communist == bot.name
    assert list(outcome.actions[2 * place : 2 * place + 2]) == [OFFER0 + DEMOCRAT, POINTS0 + 2]


@pytest.mark.parametrize(
    "offer",
    ["None", '"democrat"', '{"side": "west", "points": 1}', '{"side": "democrat"}', '{"side": [], "points": 1}']
    + [f'{{"side": "democrat", "points": {points}}}' for points in (-1, 13, 1.5, True, '"2"')],
)
def test_a_bot_forfeits_by_what_is_no_offer(player, offer):
    bot = player(BIDDING.replace("OFFER", offer))
    ((_, outcome),) = play_games([Pairing(1, bot, make_player("random", 1))], options=BID)
    assert outcome.reason == "forfeit" and "not a side and points 0 ... 12" in outcome.failure


def test_the_example_is_short():
    assert len((ROOT / "docs/examples/bot.py").read_text().splitlines()) <= 40


def test_options_are_set_by_their_declared_types(player):
    heard = "def heard(command):\n    if 'values' in command:\n        sys.exit(str(command['values']))"
    assert "stderr: {'depth': 3, 'rate': 1, 'word': '7'}" in failure(player(heard, "set=depth:3;rate:1;word:7"))
    assert "has no option 'dept'; known: depth, rate, word" in failure(player("", "set=dept:3"))
    assert "option 'depth': a value like 2 expected, not 'x'" in failure(player("", "set=depth:x"))


def test_lines_may_come_in_parts_and_after_remarks(player):
    changes = """
def play(position):
    say({"info": "thinking"})
    text = json.dumps({"action": position["legal"][-1]})
    for part in (text[:5], text[5:], "\\n"):
        print(part, end="", flush=True)
        time.sleep(0.02)"""
    game = Game(1)
    assert decide(player(changes), game.copy()) == View(game.state).legal[-1]


@pytest.mark.parametrize(
    "before",
    ["\\n", "\\r\\n \\n", "\\ufeff", "\\ufeff\\n", "\\n\\n\\ufeff"],
    ids=["blank", "blanks", "mark", "both", "late"],
)
def test_blank_lines_and_byte_order_marks_are_skipped(player, before):
    """.NET begins its output with a mark; some end each answer by an empty line."""
    changes = f"""
def say(answer):
    print("{before}" + json.dumps(answer) + "\\n", flush=True)
def hello():
    say({{"bot": bot}})"""
    assert decide(player(changes)) == View(Game(1).state).legal[0]


def test_blank_lines_without_end_do_not_extend_the_time(player):
    bot = player("def hello():\n    while 1: print('\\n' * 9999)", "start=0.3")
    started = time.monotonic()
    assert "gave no answer to 'hello' within 0.3 s" in failure(bot) and time.monotonic() - started < 15


def test_floods_of_stderr_and_of_input_stop_nobody(player):
    changes = """
def heard(command):
    sys.stderr.write("x" * 1_000_000 + "end")
    sys.stderr.flush()
def play(position):
    sys.exit(3)"""
    words = failure(player(changes))
    assert "exited with status 3 when asked 'go'" in words and words.endswith("xxend")


# --- a bot that does wrong ---------------------------------------------------------------------------


@pytest.mark.parametrize(("changes", "words"), table(Path(__file__).with_name("bad_bots.txt")))
def test_what_goes_wrong_is_named(player, changes, words):
    seconds, start = 0.2 if "to 'go'" in words else 20, 0.3 if "to 'hello'" in words else 20
    started = time.monotonic()
    assert words in failure(player(changes.replace("\\n", "\n"), f"seconds={seconds},start={start}"))
    assert time.monotonic() - started < 15


def test_remarks_without_end_do_not_extend_the_time():
    program = LineProgram([sys.executable, "-c", "while 1: print('x' * 30, flush=True)"])
    deadline = time.monotonic() + 0.5
    with pytest.raises(TimeoutError):
        while time.monotonic() < deadline + 60:
            program.receive(deadline - time.monotonic())
            time.sleep(1e-4)  # slower than the program, so that there is always another line
    assert time.monotonic() < deadline + 10
    program.stop()


def test_a_program_that_reads_nothing_blocks_nobody():
    program = LineProgram(["sleep", "60"])
    for _ in range(100):
        program.send("x" * 10_000)
    with pytest.raises(TimeoutError):
        program.receive(0.1)
    assert program.stop() is None


def test_a_program_that_cannot_run_is_a_failure(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("bot").write_text("#!/no/such/interpreter\n")
    assert "name its interpreter too, 'node ./bot'" in program_problem(["./bot"])
    Path("bot").chmod(0o755)
    assert program_problem(["bot"]).endswith("its folder, './bot'") and not program_problem(["./bot"])
    with pytest.raises(PlayerFailure, match="cannot be started"):
        make_player("process:./bot").begin_game(0, STANDARD)


def test_a_failed_game_is_lost_and_the_next_one_starts_the_program_again(player, tmp_path):
    flag = tmp_path / "crashed"
    changes = f"""
def play(position):
    if not os.path.exists({str(flag)!r}):
        open({str(flag)!r}, "w").close()
        os._exit(7)
    say({{"action": position["legal"][0]}})"""
    bot = player(changes)
    outcomes = dict(play_games([Pairing(seed, bot, make_player("random")) for seed in (1, 23)]))
    assert outcomes[0].reason == "forfeit" and outcomes[0].result == "communist"
    assert "exited with status 7 when asked 'go'" in outcomes[0].failure
    assert outcomes[1].failure == "" and outcomes[1].moves[0] > 10


def test_a_forgotten_player_takes_its_program_along(player):
    bot = make_player(f"process:{EXAMPLE}")
    decide(bot)
    pid = bot._program._process.pid
    del bot
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_program_that_does_not_quit_ends_with_all_it_has_started(player, tmp_path):
    tether = Tether(tmp_path / "pipe")
    bot = player(f"{tether.holder}\ndef heard(command):\n    time.sleep(60 * (command['command'] == 'quit'))")
    decide(bot)
    tether.wait_for(1)
    started = time.monotonic()
    bot.close()
    assert time.monotonic() - started < 4
    assert tether.all_gone()


@pytest.mark.parametrize(
    ("end", "words"),
    [
        ("sys.exit(3)", "exited with status 3 when asked 'go'"),
        ("os.kill(os.getppid(), 15); os.killpg(0, 9)", "was ended by SIGKILL when asked 'go'"),
    ],
)
def test_orphans_end_with_a_program_that_ends_by_itself(player, tmp_path, end, words):
    """It may signal its parent and kill its own group."""
    tether = Tether(tmp_path / "pipe")
    assert words in failure(player(f"{tether.holder}\ndef play(_):\n    {end}"))
    assert tether.all_gone()


def test_everything_ends_with_a_process_that_is_killed(tmp_path):
    tether = Tether(tmp_path / "pipe")
    deaf = [sys.executable, "-c", f"{tether.holder}\ntime.sleep(3600)"]
    code = f"from dawn_agents.players.external.process_player import LineProgram\nLineProgram({deaf}).receive(3600)"
    with subprocess.Popen([sys.executable, "-c", code], cwd=ROOT) as holder:
        tether.wait_for(1)
        holder.send_signal(signal.SIGKILL)
    assert tether.all_gone()


needs_namespaces = pytest.mark.skipif(not own_processes(), reason="no process namespaces here")
needs_isolation = pytest.mark.skipif(not can_isolate(), reason="no bubblewrap here")


@needs_namespaces
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_a_program_cannot_get_rid_of_its_supervisor(player, tmp_path, number):
    tether = Tether(tmp_path / "pipe")
    attack = f"""
supervisor = os.getppid()
{tether.holder}
if not os.fork():
    os.setsid()
    os.kill(supervisor, {int(number)})
    os._exit(0)"""
    bot = player(attack)
    decide(bot)
    tether.wait_for(1)
    started = time.monotonic()
    bot.close()
    assert tether.all_gone() and time.monotonic() - started < 8


SPY = """
import glob
def play(position):
    seen = []
    for pipe in glob.glob("/proc/[0-9]*/fd/0"):
        try:
            if os.readlink(pipe).startswith("pipe:"):
                os.close(os.open(pipe, os.O_RDWR))
                seen.append(pipe)
        except OSError:
            pass
    sys.exit(f"{len(seen)} pipes, database: {os.path.exists(PATH)}")"""


@needs_namespaces
def test_a_program_opens_no_pipes_of_others(player):
    other, spy = player(), player(f"PATH = '/'\n{SPY}")
    decide(other)
    assert "stderr: 1 pipes" in failure(spy)  # its own
    decide(other)


UNMOUNT = """
import ctypes
libc = ctypes.CDLL(None)
NEW_USER, NEW_MOUNTS, DETACH = 0x10000000, 0x20000, 2
def play(position):
    libc.umount2(b"/proc", DETACH)
    if os.fork() == 0:
        libc.unshare(NEW_USER | NEW_MOUNTS)
        libc.umount2(b"/proc", DETACH)
        os._exit(sum(map(str.isdigit, os.listdir("/proc"))))
    nested = os.waitstatus_to_exitcode(os.wait()[1])
    powerless = "CapPrm:\\t0000000000000000" in open("/proc/self/status").read()
    seen = sum(map(str.isdigit, os.listdir("/proc")))
    sys.exit(f"{seen} and {nested} processes, no powers: {powerless}")"""


@needs_namespaces
def test_a_program_cannot_uncover_the_processes_of_others(player):
    """As root it would have all capabilities in its namespace."""
    assert "stderr: 2 and 3 processes, no powers: True" in failure(player(UNMOUNT))  # with its supervisor


@pytest.mark.parametrize("settings", ["seconds=5", pytest.param("seconds=5,isolate=true", marks=needs_isolation)])
def test_a_program_gets_few_variables_of_the_environment(player, monkeypatch, settings):
    for name in ("PATH", "HOME", "LANG"):
        monkeypatch.setenv(name, os.environ.get(name, "C.UTF-8"))
    monkeypatch.setenv("API_KEY", "secret")
    tell = "def play(_):\n    sys.exit(' '.join(sorted({*os.environ} - {'LC_CTYPE', 'PWD'})))"
    assert failure(player(tell, settings)).endswith("stderr: HOME LANG PATH")


WRITE = """
def written(path, size):
    try:
        with open(path, "wb") as file:
            for _ in range(size):
                file.write(bytes(1 << 20))
    except OSError as error:
        return error.errno
def play(position):
    paths = "/tmp/x", "/dev/shm/x"
    sys.exit(str([*(written(path, 1) for path in paths), *(written(path, 300) for path in paths),
                  written("/x", 1), written("/dev/x", 1)]))"""


@needs_isolation
def test_an_isolated_program_writes_little_in_two_places(player):
    full, read_only = errno.ENOSPC, errno.EROFS
    assert f"stderr: {[None, None, full, full, read_only, read_only]}" in failure(
        player(WRITE, "seconds=20,isolate=true")
    )


@needs_isolation
def test_an_isolated_program_sees_its_folder_alone(player, tmp_path_factory):
    secret = tmp_path_factory.mktemp("database")
    spy = player(f"PATH = {str(secret)!r}\n{SPY}", "isolate=true")
    assert "stderr: 1 pipes, database: False" in failure(spy)
    bot = Path(spy._options.command.split()[1])
    assert in_view([sys.executable, str(bot)], [secret, bot]) == [bot]


def test_isolation_that_is_impossible_is_refused(monkeypatch):
    monkeypatch.setattr("dawn_agents.players.external.process_player.can_isolate", lambda: False)
    with pytest.raises(BadSpec, match="isolate: impossible here: bubblewrap"):
        make_player("process:isolate=true,cat")


def test_choosing_without_a_game_is_a_failure(player):
    with pytest.raises(PlayerFailure, match="no game has begun"):
        player().choose(View(Game(1).state))


def test_the_end_of_its_errors_is_told(player):
    words = failure(player("sys.exit('\\n'.join(['chatter'] + [f'at {line}' for line in range(15)]))"))
    assert "; stderr: at 0 | at 1 | " in words and words.endswith("| at 14")


def test_what_it_says_comes_as_one_line_without_control_characters(player):
    words = failure(player("sys.exit('\\x1b[2J[/red]\\n\\u202e last')"))
    assert words.endswith(r"stderr: \x1b[2J[/red] | \u202e last") and words.isprintable()


# --- what it is told -----------------------------------------------------------------------------------


def entries(part, value) -> list[int]:
    """Inverse of ``named_view`` for a part, written on its own: values are put back where their names stand."""
    if isinstance(value, dict):
        return [value.get(name, 0) for name in part.axis.value]
    marked = value if isinstance(value, list) else [value]
    return [value] if part.size == 1 else [int(name in marked) for name in part.axis.value]


def test_everything_known_is_told():
    for game in random_positions(5, 7):
        for side in (0, 1):
            seen = observe(game.state, side)
            named = json.loads(json.dumps(named_view(seen)))
            assert [entry for part in TABLE for entry in entries(part, named[part.name])] == seen.tolist()


@needs_isolation
def test_commands_isolate_programs_that_do_not_see_the_database(tmp_path, capsys):
    bot = tmp_path / "bots" / "bot.py"
    bot.parent.mkdir()
    bot.touch()
    players = ["--players", "random", f"process:isolate=true,{sys.executable} {bot}"]
    tournament.make_parser().parse_args([*players, "--db", str(tmp_path / "results.db")])
    with pytest.raises(SystemExit):
        tournament.make_parser().parse_args([*players, "--db", str(bot.parent / "results.db")])
    assert "results.db: keep the program in a folder without it" in capsys.readouterr().err


@needs_isolation
def test_the_checker_isolates_the_example():
    assert check_bot.main(["--isolate", "--games", "1", *EXAMPLE.split()]) == 0
