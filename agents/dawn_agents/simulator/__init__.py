"""The engine for programs in any language: requests and answers in lines of JSON (``docs/engine.md``)."""
