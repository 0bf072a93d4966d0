"""The engine compiled ahead: the same games as by numba in the library, WebAssembly and C, and what binaries need."""

import hashlib
import json
import platform
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from batches import random_choices
from dawn_agents.players.registry import make_player
from dawn_agents.tournaments.match import Pairing, play_games
from dawn_native import link
from dawn_native.emit import TARGETS, BuildError, checked_symbols
from dawn_native.exports import EXPORTS, library_index
from dawn_native.games import Code
from page_blocks import blocks
from paths import ROOT
from processes import node, python

import dawn_env
from dawn_env import engine
from dawn_env.batch import Batch
from dawn_env.bids import is_bid
from dawn_env.errors import MalformedPosition
from dawn_env.game import Game
from dawn_env.host.random_play import play_out
from dawn_env.native import library
from dawn_env.state import Decision, new_states
from dawn_env.support.compiling import COMPILED
from dawn_env.validation.state_validity import check_state

KINDS = {}, {"mode": "family"}, {"bid": True}, {"extra_support": (2, 3)}
MOST_LIBRARY, MOST_MODULE = 4 << 20, 2 << 20  # bytes

pytestmark = pytest.mark.skipif(not COMPILED, reason="the library is made from compiled code")


@pytest.fixture(scope="module")
def native(built):
    name = library.fitting()
    compiled = library.Library(built / name / TARGETS[name].file, library_index()["functions"])
    return compiled, {export.name: compiled.function(export.name) for export in EXPORTS}


def digest(*parts):
    return hashlib.sha256(b"".join(np.ascontiguousarray(part).tobytes() for part in parts)).hexdigest()


def actions_of(batch, player):
    actions = random_choices(batch)
    if player is not None:
        rows = np.flatnonzero((batch.states["result"] == 0) & ~is_bid(batch.states["decision"]))
        seen, legal = batch.shown
        actions[rows] = player.choose(seen[rows], legal[rows])
    return actions


def recorded(count, options, name=None, seed=0, level=10):
    player = name and make_player(f"heuristic:level={level}" if name == "heuristic" else name, seed)
    batch = Batch(count, 11, options, auto_restart=False)
    games = [{"seed": 11 + row, "actions": [], "seen": []} for row in range(count)]
    while (running := np.flatnonzero(batch.states["result"] == 0)).size:
        actions = actions_of(batch, player)
        for row in running:
            games[row]["actions"].append(int(actions[row]))
            games[row]["seen"] += [batch.observations[row].copy(), batch.masks[row].copy()]
        batch.step(actions)
    shared = {"options": in_javascript(options), "player": name, "playerSeed": seed, "level": level}
    return [
        shared | {"views": digest(*game.pop("seen")), "final": digest(batch.states[row : row + 1])} | game
        for row, game in enumerate(games)
    ]


def in_javascript(options):
    return {{"extra_support": "extraSupport"}.get(name, name): value for name, value in options.items()}


def batch_recorded(count, steps, options):
    batch, parts = Batch(count, 3, options), []
    for _ in range(steps):
        batch.step(actions_of(batch, None))
        parts += [part.copy() for part in (batch.observations, batch.masks, batch.actors, batch.rewards, batch.ended)]
    shared = {"count": count, "seed": 3, "steps": steps, "options": in_javascript(options)}
    return shared | {"views": digest(*parts), "final": digest(batch.states)}


@pytest.mark.parametrize("options", KINDS)
def test_the_library_plays_random_games_as_numba_does(native, options):
    compiled, call = native
    batch = Batch(250, 7, options, auto_restart=False)
    states, step = batch.states.copy(), compiled.pointer("dawn_advance")
    views = np.zeros_like(batch.observations), np.zeros_like(batch.masks)
    while (batch.states["result"] == 0).any():
        actions = actions_of(batch, None)
        batch.step(actions)
        assert call["dawn_advance_rows"](step, states, actions) == 0
        assert states.tobytes() == batch.states.tobytes()
        for row in range(0, batch.count, 50):
            assert call["dawn_observe"](states[row], int(batch.actors[row]), views[0][row], views[1][row]) == 0
            assert (views[0][row] == batch.observations[row]).all() and (views[1][row] == batch.masks[row]).all()


def test_the_library_redeals_and_plays_out_as_numba_does(native):
    compiled, call = native
    batch, seeds = Batch(50, 4), np.arange(50)
    for _ in range(60):
        batch.step(actions_of(batch, None))
    step = compiled.pointer("dawn_advance")
    dealt, ours = engine.redeal(batch.states, 1, seeds), new_states(50)
    call["dawn_redeal_rows"](step, batch.states, ours, 1, seeds)
    assert ours.tobytes() == dealt.tobytes()
    play_out(engine.step(), dealt, seeds)
    call["dawn_play_out"](step, ours, seeds)
    assert ours.tobytes() == dealt.tobytes() and (ours["result"] != 0).all()


def test_checked_functions_refuse_what_no_game_allows(native):
    _, call = native
    (game,) = new_states(1)
    assert call["dawn_new_game"](game, 1, 1, 1, 0, 0) == Code.BAD_OPTIONS
    assert call["dawn_new_game"](game, 1, 0, 0, 21, 0) == Code.BAD_OPTIONS
    assert call["dawn_new_game"](game, 1, 0, 0, 0, 0) == Code.OK
    before = game.tobytes()
    assert call["dawn_step"](game, int(np.flatnonzero(game.legal == 0)[0])) == Code.ILLEGAL
    assert call["dawn_step"](game, -1) == call["dawn_step"](game, 10**6) == Code.ILLEGAL
    assert call["dawn_observe"](game, 0, np.zeros(5, np.int8), np.zeros(5, np.int8)) == Code.BAD_SIZE
    assert game.tobytes() == before


def test_records_from_outside_are_checked(native):
    """Whole games pass; of damaged ones none is accepted that is out of bounds, and none refused that is valid."""
    _, call = native
    random, work, counts = np.random.default_rng(1), new_states(1), np.zeros((2, 2), int)
    for options in KINDS:
        batch = Batch(12, 5, options, auto_restart=False)
        for step in range(400):
            batch.step(actions_of(batch, None))
            row = batch.states[step % 12 : step % 12 + 1]
            assert call["dawn_check"](row[0], work) == Code.OK
            (damaged,) = damage(row.copy(), random)
            accepted, valid = call["dawn_check"](damaged, work) == Code.OK, is_valid(damaged)
            valid = valid and (damaged.decision != Decision.NONE or damaged.result != 0)  # else nothing can be done
            counts[int(accepted), int(valid)] += 1
            if accepted and step % 5 == 0:
                play_on(call, damaged, random)
    assert counts[0, 1] == 0 and counts[0, 0] > 300 and counts[1, 1] > 50, counts


def test_a_running_game_that_asks_nothing_is_refused(native):
    _, call = native
    (game,), work = new_states(1), new_states(1)
    assert call["dawn_new_game"](game, 1, 0, 0, 0, 0) == Code.OK == call["dawn_check"](game, work)
    game.decision = Decision.NONE
    assert call["dawn_check"](game, work) == Code.BAD_STATE


def damage(records, random):
    content = records.view(np.int8).reshape(-1)
    for _ in range(random.integers(1, 4)):
        content[random.integers(len(content))] = random.integers(-128, 128)
    return records


def is_valid(record) -> bool:
    try:
        check_state(record)
    except MalformedPosition:
        return False
    return True


def play_on(call, record, random):
    """Some decisions of a record that was accepted; the rules may stop it, but nothing may break."""
    for _ in range(20):
        legal = np.flatnonzero(record.legal)
        if record.result or not len(legal):
            return
        assert call["dawn_step"](record, int(random.choice(legal))) in (Code.OK, Code.STOPPED)
        if record.error:
            return


WITHOUT_NUMBA = """
import hashlib, sys
sys.modules["numba"] = None
from dawn_env.batch import Batch
batch = Batch(1024, 0, threads=1)
import numpy as np
from dawn_agents.tournaments.match import Pairing, play_games
from dawn_agents.players.registry import make_player
from dawn_env.game import Game
for _ in range(201):
    batch.step(batch.masks.argmax(axis=1))
seen = hashlib.sha256(batch.observations.tobytes() + batch.states.tobytes()).hexdigest()
names = ["heuristic", "pretrained", "random", "heuristic:level=4", "search:sims=8", "greedy"]
pairs = [Pairing(seed, make_player(names[seed]), make_player(names[seed - 1])) for seed in range(len(names))]
games = sorted((number, game.result, game.vp, *game.actions) for number, game in play_games(pairs))
again = Game.from_json(Game(5).redeal(1, 6).to_json())
print(seen, hashlib.sha256(repr(games).encode()).hexdigest(), again.state.legal_count)
"""


def told_by(program, **variables):
    return python("-c", program, variables=variables, check=True).stdout.split()


def test_from_the_library_python_plays_without_numba(built, tmp_path):
    told = told_by(WITHOUT_NUMBA, DAWN_ENV_LIBRARY=str(built), DAWN_ENV_CACHE_DIR=str(tmp_path))
    compiled = told_by(WITHOUT_NUMBA.replace('sys.modules["numba"] = None', ""), DAWN_ENV_LIBRARY="off")
    assert told == compiled
    assert not list(tmp_path.rglob("*.nbc"))


def test_javascript_plays_the_same_games(built, tmp_path):
    games = [game for options in KINDS for game in recorded(20, options)]
    games += recorded(10, {}, "heuristic") + recorded(4, {}, "heuristic", 9, 3) + recorded(4, {}, "pretrained")
    games += recorded(4, {"mode": "family"}, "heuristic", 2**40, 5) + recorded(4, {}, "random", 77)
    batches = [batch_recorded(64, 200, options) for options in KINDS]
    file = tmp_path / "games.json"
    file.write_text(json.dumps({"games": games, "batches": batches}))
    told = node("replay_games.mjs", file)
    assert told["redealt"] == hashlib.sha256(Game(1).redeal(1, 5).to_bytes()).hexdigest()


def test_javascript_refuses_wrong_arguments_and_plays_on(built):
    assert node("refuse_arguments.mjs")["refused"]


def test_the_declarations_for_javascript_name_files_that_exist():
    named = re.findall(r"`([\w./]+\.(?:md|py))`", (ROOT / "packages" / "js" / "dawn.d.ts").read_text())
    assert named and [name for name in named if not (ROOT / name).is_file()] == []


def test_javascript_keeps_its_memory_through_a_million_decisions(built):
    assert node("play_long.mjs", 1_000_000) == {"pages": 0}


def test_the_package_for_javascript_is_complete_and_plays_where_it_is_installed(built, tmp_path):
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("needs npm")
    run = {"check": True, "capture_output": True, "text": True}
    command = [npm, "pack", "--json", "--pack-destination", tmp_path]
    (packed,) = json.loads(subprocess.run(command, cwd=ROOT / "packages" / "js", **run).stdout)
    names = {"README.md", "pretrained.bin", "dawn.d.ts", "dawn.wasm", "package.json", "LICENSE", "NOTICE"}
    names |= {"dawn.js", "engine.js", "layout.js", "node.js"}
    assert {file["path"] for file in packed["files"]} == names and packed["version"] == dawn_env.__version__
    (tmp_path / "package.json").write_text("{}")
    install = [npm, "install", "--offline", "--no-audit", "--no-fund", tmp_path / packed["filename"]]
    subprocess.run(install, cwd=tmp_path, **run)
    (tmp_path / "play.mjs").write_text(PLAY)
    assert subprocess.run(["node", "play.mjs"], cwd=tmp_path, **run).stdout == "true\n"


PLAY = """
import { PretrainedPlayer, Game } from "dawn-env";
const game = new Game(7), player = await PretrainedPlayer.load();
while (!game.over) game.step(player.choose(game));
console.log(["democrat", "communist", "draw"].includes(game.result));
"""


OLD = "linux-x86-64-v2"
V3 = "fpu sse4_2 popcnt avx avx2 bmi1 bmi2 f16c fma abm movbe"


@pytest.mark.parametrize(
    "system, machine, flags, name",
    [
        ("linux", "x86_64", V3, "linux-x86-64-v3"),
        ("linux", "x86_64", V3.replace("avx2 ", ""), OLD),
        ("linux", "aarch64", "", "linux-arm64"),
        ("darwin", "arm64", "", "macos-arm64"),
        ("win32", "AMD64", "", "windows-x86-64"),
        ("linux", "riscv64", "", None),
    ],
)
def test_the_library_is_chosen_by_system_and_processor(monkeypatch, system, machine, flags, name):
    monkeypatch.setattr(library.platform, "machine", lambda: machine)
    monkeypatch.setattr(library.sys, "platform", system)
    monkeypatch.setattr(library.Path, "read_text", lambda _: f"processor\t: 0\nflags\t\t: {flags}\nbugs\t\t:\n")
    assert library.fitting() == name


def test_a_folder_without_a_fitting_library_is_told_about_once(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("DAWN_ENV_LIBRARY", str(tmp_path))
    for _ in range(2):
        assert library.loaded.__wrapped__() is None
    assert capsys.readouterr().err.count("DAWN_ENV_LIBRARY cannot be used, no library of these sources in") == 1


@pytest.mark.parametrize("name, emulator", [(library.fitting(), []), (OLD, ["qemu-x86_64", "-cpu", "Nehalem"])])
def test_the_example_in_c_plays_the_same_games(built, tmp_path, name, emulator):
    """The example also runs on an emulated processor without AVX, with the library for such processors."""
    compiler, games = shutil.which("gcc"), 40
    if compiler is None or platform.machine() != "x86_64" or emulator and shutil.which(emulator[0]) is None:
        pytest.skip("needs a C compiler, and an emulator")
    (shared,) = link.build_missing([name], built)
    source, out = ROOT / "docs/examples/random_games.c", tmp_path / "random_games"
    build_c(compiler, source, shared, out)
    told = subprocess.run([*emulator, out, str(games)], check=True, capture_output=True, text=True).stdout
    batch = Batch(games, 0, auto_restart=False)
    while (batch.states["result"] == 0).any():
        batch.step(actions_of(batch, None))
    decisions, points = (int(batch.states[name].sum()) for name in ("decisions", "vp"))
    assert told.startswith(f"{games} games, {decisions} decisions, {points} points, check ")


def build_c(compiler, source, shared, out):
    header, found = shared.parent.parent, f"-Wl,-rpath,{shared.parent}"
    flags = ["-std=c99", "-O2", "-Wall", "-Wextra", "-pedantic", "-Werror", f"-I{header}", found]
    subprocess.run([compiler, *flags, "-o", out, source, shared], check=True)


def test_the_program_in_c_of_the_page_plays_as_python_does(built, tmp_path):
    compiler = shutil.which("gcc")
    if compiler is None:
        pytest.skip("needs a C compiler")
    (shared,) = link.build_missing([library.fitting()], built)
    (code,) = (block.code for block in blocks(ROOT / "docs/how-to/native.md") if block.language == "c")
    source, out = tmp_path / "heuristic.c", tmp_path / "heuristic"
    source.write_text(code)
    build_c(compiler, source, shared, out)
    told = subprocess.run([out], check=True, capture_output=True, text=True).stdout
    ((_, game),) = play_games([Pairing(7, make_player("heuristic"), make_player("heuristic"))])
    assert told == f"{len(game.actions)} decisions, {game.vp} points\n"


@pytest.mark.parametrize("level", [3, 10])
def test_draws_stand_for_a_seed_as_the_header_says(native, built, level):
    compiled, call = native
    sizes = dict(re.findall(r"#define (DAWN_\w+) (\d+)", (built / "dawn.h").read_text()))
    memory = np.zeros(int(sizes["DAWN_HEURISTIC_MEMORY"]), np.int8)
    draws = np.random.default_rng(5).integers(-(2**20), 2**20, int(sizes["DAWN_STANDARD_DRAWS"]))
    assert call["dawn_begin_heuristic"](memory.ctypes.data, level, draws) == 0
    player, batch, action = make_player(f"heuristic:level={level}", 5), Batch(1, 2), np.zeros(1, np.int64)
    for _ in range(200):
        call["dawn_heuristic_answer"](memory.ctypes.data, batch.observations[0], batch.masks[0], action)
        assert action == player.choose(batch.observations, batch.masks)
        batch.step(action)


def test_the_example_in_rust_plays_the_same_games(built, tmp_path):
    compiler, games = shutil.which("rustc"), 40
    if compiler is None or subprocess.run([compiler, "--version"], capture_output=True).returncode:
        pytest.skip("needs a Rust compiler")  # rustup without a toolchain is none
    (folder,) = built.glob(library.fitting())
    name, out = Path(TARGETS[library.fitting()].file).stem.removeprefix("lib"), tmp_path / "random_games"
    flags = ["-O", "-D", "warnings", "-L", folder, "-l", name, "-C", f"link-arg=-Wl,-rpath,{folder}"]
    subprocess.run([compiler, *flags, "-o", out, ROOT / "docs/examples/random_games.rs"], check=True)
    told = subprocess.run([out, str(games)], check=True, capture_output=True, text=True).stdout
    states, seeds = new_states(games), np.arange(games)
    engine.reset(states, seeds)
    play_out(engine.step(), states, seeds)
    assert told == f"{games} games, {states['vp'].sum()} points\n"


FORMATS = {  # first bytes, and which bytes name the processor
    "macos-arm64": (b"\xcf\xfa\xed\xfe", 4, b"\x0c\x00\x00\x01"),
    "windows-x86-64": (b"MZ", None, b"d\x86"),
}


@pytest.mark.parametrize("name", FORMATS)
def test_libraries_for_other_machines_have_the_functions(built, name):
    """``linux-arm64`` is left out: ``macos-arm64`` covers its processor, this machine its file format."""
    (path,) = link.build_missing([name], built)
    content = path.read_bytes()
    start, at, processor = FORMATS[name]
    at = at or int.from_bytes(content[60:64], "little") + 4
    assert content.startswith(start) and content[at : at + len(processor)] == processor
    assert len(content) < MOST_LIBRARY
    assert all(export.name.encode() + b"\0" in content for export in EXPORTS)


def test_binaries_are_small_and_always_the_same(built, tmp_path):
    name = library.fitting()
    again = link.build(link.engine_code(built), name, tmp_path).read_bytes()
    assert again == (built / name / TARGETS[name].file).read_bytes() and len(again) < MOST_LIBRARY
    assert (built / "wasm32" / "dawn.wasm").stat().st_size < MOST_MODULE


def test_a_function_that_needs_more_is_refused():
    with pytest.raises(BuildError, match="fopen"):
        checked_symbols({"fopen", "memmove"})
