"""Positions at events: what the page shows while they are presented, as the server says and as it is seen."""

import json

import pytest
from dawn_agents.frontends.web import position_messages
from dawn_agents.frontends.web.game_session import HUMAN, Session, Setting
from dawn_agents.frontends.web.position_messages import seen_by
from random_records import golden, golden_moment, golden_records, random_game
from scenario import scenario

from dawn_env.events import EventObserver
from dawn_env.game import Game
from dawn_env.options import GameOptions
from dawn_env.tables import COUNTRIES, SIDE_NAMES


def reverted(now: object, change: dict | list) -> object:
    """A value before a change, as the page finds it."""
    if isinstance(change, list):
        return change[0]
    then = list(now) if isinstance(now, list) else dict(now)
    for key, inside in change.items():
        at = int(key) if isinstance(now, list) else key
        if inside == []:
            del then[at]
        else:
            then[at] = reverted(then[at] if isinstance(then, list) else then.get(at), inside)
    return then


def positions(message: dict) -> list[tuple[dict, dict]]:
    """The latest events of a message, each with the position after it."""
    now, found = message, []
    events = message["log"][len(message["log"]) - len(message["moments"]) :]
    for event, change in reversed(list(zip(events, message["moments"], strict=True))):
        now = reverted(now, change)
        found.append((event, now))
    return found[::-1]


@pytest.mark.parametrize("mode", ["standard", "family"])
def test_the_position_at_each_event_is_the_one_that_the_events_lead_to(mode):
    """Those of the present are never seen before what has brought them about."""
    record, seen = golden(1) if mode == "standard" else random_game(4, {"mode": mode}), set()
    session = Session(Setting(record["seed"], GameOptions.of(record["options"]), (HUMAN, HUMAN)))
    for action in record["decisions"]:
        session.enter(session.actor, action)
        seat = 1 - session.actor if not session.over else 0
        if not session.waits_in_secret(seat):
            for event, position in positions(json.loads(json.dumps(session.tell(seat)))):
                check(event, position)
                seen.add(event["event"])
    assert {"vp", "support", "round", "score"} <= seen and (mode == "family" or "power" in seen)


def test_a_side_is_described_no_position_twice(monkeypatch):
    """What was the present in one message is what was before, and at the first event, in the next one."""
    session, seen = Session(Setting(61, GameOptions(), (HUMAN, HUMAN))), []

    def look(state, side):
        seen.append((state.tobytes(), side))
        return seen_by(state, side)

    monkeypatch.setattr(position_messages, "seen_by", look)
    for _ in range(20):
        session.tell(session.actor)
        session.enter(session.actor, session.game.legal[0])
    assert len(seen) == len(set(seen)) > 20


def check(event: dict, position: dict) -> None:
    """Hold that a position is one at an event."""
    if event["event"] in ("vp", "end"):
        assert position["vp"] == event["vp"]
    elif event["event"] == "round":
        assert [position[key] for key in ("turn", "round")] == [event["turn"], event["round"]]
    elif event["event"] == "track":
        assert position["track"][SIDE_NAMES.index(event["side"])] == event["box"]
    elif event["event"] == "power":
        assert position["power"][COUNTRIES.index(event["country"])] == SIDE_NAMES.index(event["side"])
    assert position["side"] in (0, 1) and position["support"] and len(position["hands"]) == 2


def test_points_of_the_final_scoring_run_from_country_to_country():
    record = next(one for one in golden_records() if one["reason"] == "final scoring")
    game = Game(record["seed"], record["options"])
    for action in record["decisions"][:-1]:
        game.step(action)
    before, observer = game.copy(), EventObserver(0)
    game.step(record["decisions"][-1])
    events = observer.see(before, game, record["decisions"][-1])
    scored = [at for at, event in enumerate(events) if event["event"] in ("score", "final-power")]
    vp = int(game.state.vp) - sum(events[at]["vp"] for at in scored)
    assert len(scored) > 3
    for at in scored:
        vp += events[at]["vp"]
        assert observer.moments[at].vp == vp


def takes_power(game: Game, action: str) -> bool:
    """Return True if an action leads to the end of a struggle in which Power changes hands."""
    after = game.copy()
    if not 0 <= game.state.struggle or game.decision not in ("attack", "defend"):
        return False
    after.step(action)
    return bool((after.state.power != game.state.power).any())


def waiting_page(server, open_page, record: dict, at: int, game: Game):
    """Page of the side that waits in a game from a moment of a record, after the other's next decision."""
    origin = {"replay": f"{server.shelf(record)}.0", "at": at}
    links = server.new_game("human", "human", None, **{"from": origin})["seats"]
    page = open_page(server.address + links[SIDE_NAMES[1 - game.actor]], paced=True)
    page.wait_for_selector("#prompt[data-state=waiting]")
    actor = f"/api{links[SIDE_NAMES[game.actor]]}"
    asked = server.ask(actor)[1]
    server.ask(actor, {"type": "act", "at": asked["at"], "action": record["decisions"][at]})
    page.wait_for_selector("#prompt[data-state=presenting]")
    return page


def presented(page, look: str) -> list:
    """What the function ``look`` finds in the page at each card of events, up to the next question."""
    found = []
    while page.get_attribute("#prompt", "data-state") == "presenting":
        found.append(page.evaluate(look))
        page.click("[data-action=continue]")
    return found


def test_panels_show_the_position_at_the_event_that_is_presented(server, open_page):
    """Power, the struggle and VP change with the events that change them, not before."""
    record, at, game = golden_moment(takes_power)
    page = waiting_page(server, open_page, record, at, game)
    look = """() => ({words: document.querySelector('#prompt .event:last-of-type').innerText,
        edge: document.querySelector("[data-panel='COUNTRY'] rect").getAttribute('class').slice(-2),
        framed: document.querySelectorAll("[data-panel='COUNTRY'] .change").length,
        vp: document.getElementById('vp').innerText, fights: document.querySelectorAll('#fight .struggle').length})"""
    shown = presented(page, look.replace("COUNTRY", COUNTRIES[game.state.struggle]))
    taken = next(at for at, one in enumerate(shown) if "takes Power" in one["words"])
    assert shown[0]["edge"] != shown[taken]["edge"] and shown[taken]["framed"] and not shown[0]["framed"]
    assert shown[0]["fights"] == 1 and shown[0]["vp"] != shown[-1]["vp"]


def test_the_final_scoring_runs_and_ends_with_totals(server, open_page):
    """The country that is scored is framed, and no other."""
    record = next(one for one in golden_records() if one["reason"] == "final scoring")
    game, at = Game(record["seed"], record["options"]), len(record["decisions"]) - 1
    for action in record["decisions"][:at]:
        game.step(action)
    page = waiting_page(server, open_page, record, at, game)
    look = """() => ({vp: document.getElementById('vp').innerText,
        kind: document.querySelector('#prompt .event:last-of-type').dataset.event,
        framed: [...document.querySelectorAll('[data-panel]:has(.change)')].map((one) => one.dataset.panel),
        totals: document.querySelector('.totals tbody tr:last-child')?.innerText ?? ''})"""
    shown = presented(page, look)
    shown = shown[[one["kind"] for one in shown].index("final-scoring") :]
    scored = [one for one in shown if one["kind"] == "score"]
    assert len({one["vp"] for one in scored}) > 2 and all(len(one["framed"]) == 1 for one in scored)
    assert len({one["framed"][0] for one in scored}) == len(scored)
    [totals] = {one["totals"] for one in shown if one["totals"]}
    name, democrat, communist = totals.split("\t")
    first, last = (int(one["vp"].split()[-1].replace("\u2212", "-")) for one in (shown[0], shown[-1]))
    assert name == "Total" and last - first == int(democrat) - int(communist) != 0
    assert page.inner_text("#prompt h2").startswith("You ")


def test_a_side_without_an_answer_is_told_so(server, open_page):
    """The attacker is told no more than that the other side concedes."""
    democrat = ["rally-1", "rally-1", "strike-3", "strike-4", "petition-5", "petition-6"]
    hands = {"D": democrat, "C": ["rally-1"] * 2 + ["march-3"] * 3 + ["petition-5"]}
    start = scenario("C: 22 12 / D: 4 7", {"Poznan": (3, 0), "Lodz": (0, 3)}, chance={"power_deal": hands}, stop=False)
    game = start.take("card:22").finish()
    while game.decision == "stakes":
        game.step("pass")
    origin = {"replay": f"{server.shelf(game.to_json().encode())}.0", "at": 0}
    seats = server.new_game("human", "human", None, **{"from": origin})["seats"]
    defender, attacker = (open_page(server.address + seats[name], paced=True) for name in SIDE_NAMES)
    defender.wait_for_selector("#prompt[data-state=waiting]")
    attacker.wait_for_selector("#prompt[data-state=asked]")
    attacker.click("#fight [data-action='power:march-3']")
    defender.wait_for_selector("#prompt .event >> text=You cannot answer: no March, no leader that counts")
    attacker.wait_for_selector("#log >> text=Democrat concedes the struggle")
    assert "cannot answer" not in attacker.inner_text("body")
