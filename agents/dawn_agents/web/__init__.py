"""The game in the browser: play, watch, replay, analyse (``docs/web.md``)."""
