"""The game in the browser: play, watch, replay, analyse (``docs/how-to/web.md``)."""
