"""The players of one's own ladder as opponents, in a real browser."""

from dawn_agents.commands import ladder
from web_server import serving

SCORER = "docs.examples.scorer:Scorer"


def test_a_player_of_the_ladder_is_chosen_on_the_start_page_and_plays(tmp_path, open_page):
    path = tmp_path / "own.db"
    assert ladder.main(["add", SCORER, "--games", "4", "--workers", "1", "--db", str(path)]) == 0
    with serving(tmp_path / "games.sqlite", own_ladder=path) as server:
        page = open_page(server.address)
        page.click("summary >> text=more opponents, with their ratings in Elo")
        offer = page.locator("label", has=page.locator(f"input[value='{SCORER}']"))
        assert "on your ladder" in offer.inner_text() and offer.locator(".rating").inner_text().lstrip("-").isdecimal()
        offer.click()
        page.click("text=Communist")
        page.click("[data-start=play]")
        page.wait_for_selector("#prompt[data-state=asked]")
        seat = page.url.removeprefix(server.address).partition("?")[0]
        assert server.ask(f"/api{seat}")[1]["players"][0] == SCORER
        for number in range(2):  # the first points of the set-up
            page.locator("#board [data-legal]").first.click()
            page.wait_for_function(
                "n => document.querySelector('#log').innerText.split('Communist sets up').length > n", arg=number + 1
            )
        page.wait_for_selector("#log >> text=Democrat sets up in")
