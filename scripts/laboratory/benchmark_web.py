"""Play many games at once against a server of one's own by scripted clients; report delays and memory."""

import argparse
import asyncio
import json
import random
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

import websockets


def parse(arguments: list[str] | None) -> argparse.Namespace:
    """Command line options."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200, help="games at once (%(default)s)")
    parser.add_argument("--decisions", type=int, default=100, help="decisions of a client in each (%(default)s)")
    parser.add_argument("--opponent", default="heuristic", metavar="PLAYER", help="who they play (%(default)s)")
    parser.add_argument("--port", type=int, default=8989, help="port of the server (%(default)s)")
    return parser.parse_args(arguments)


def memory(process: subprocess.Popen) -> float:
    """MiB that a process holds; 0 where that cannot be known."""
    try:
        status = Path(f"/proc/{process.pid}/status").read_text()
    except OSError:
        return 0.0
    return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024


async def play(address: str, number: int, options: argparse.Namespace, delays: list[float]) -> None:
    """One client's game; notes the seconds from each action to the next message."""
    wanted = {"players": {"democrat": "human", "communist": options.opponent}, "seed": number}
    request = urllib.request.Request(f"{address}/api/games", json.dumps(wanted).encode())
    links = await asyncio.to_thread(lambda: json.loads(urllib.request.urlopen(request).read()))
    rng = random.Random(number)
    live = f"{address.replace('http', 'ws')}/api{links['seats']['democrat']}/live"
    async with websockets.connect(live, max_size=2**24, open_timeout=300) as socket:
        taken, sent = 0, None
        while taken < options.decisions:
            state = json.loads(await socket.recv())
            if state["type"] == "error":
                raise RuntimeError(state["text"])
            if state["type"] != "state":
                continue
            if sent is not None:
                delays.append(time.perf_counter() - sent)
            sent = None
            if state["over"]:
                return
            if state["ask"]:
                action = rng.choice(state["ask"]["legal"])
                sent = time.perf_counter()
                await socket.send(json.dumps({"type": "act", "at": state["at"], "action": action}))
                taken += 1


async def measure(address: str, options: argparse.Namespace, process: subprocess.Popen) -> None:
    """One game alone, then all of them, twice."""
    for games in (1, options.games, options.games):
        delays: list[float] = []
        started = time.perf_counter()
        await asyncio.gather(*(play(address, number, options, delays) for number in range(games)))
        delays.sort()
        middle, late = delays[len(delays) // 2], delays[int(len(delays) * 0.99)]
        print(
            f"{games} games, {len(delays)} decisions in {time.perf_counter() - started:.1f} s: from an action to the "
            f"update {1000 * middle:.0f} ms (median), {1000 * late:.0f} ms (99 %); memory {memory(process):.0f} MiB"
        )


def main(arguments: list[str] | None = None) -> int:
    """Entry point."""
    options = parse(arguments)
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "dawn_agents", "web", "--port", str(options.port)]
        process = subprocess.Popen([*command, "--data", f"{folder}/games.sqlite"], stdout=subprocess.PIPE, text=True)
        try:
            address = process.stdout.readline().split()[-1]
            _wait(f"{address}/api/start")
            asyncio.run(measure(address, options, process))
        finally:
            process.terminate()
            process.wait()
    return 0


def _wait(address: str) -> None:
    while True:
        try:
            urllib.request.urlopen(address)
            return
        except OSError:
            time.sleep(0.1)


if __name__ == "__main__":
    sys.exit(main())
