"""A local server of chat completions, for tests of players that are language models."""

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from dawn_env.views.text_reading import answers_of

KEY = "a-key-of-the-tests"


def first_answer(body: Mapping[str, Any]) -> str:
    """The first legal answer to the last question of a request."""
    questions = [message["content"] for message in body["messages"] if "Answer with one of:" in message["content"]]
    return next(answers_of(questions[-1]))


class ChatServer:
    """Answers chat completions by ``answer``, a function of the request: words, a message, or a status with headers.

    ``requests``: bodies received, ``authorizations`` and ``headers``: what came with them.
    """

    def __init__(self, answer: Callable[[dict[str, Any]], Any]):
        self.answer = answer
        self.requests: list[dict[str, Any]] = []
        self.authorizations: list[str] = []
        self.headers: list[str] = []
        self.address = ""


class Cut(Exception):
    """The connection ends without an answer."""


def completion(message: Mapping[str, Any], finish: str = "stop") -> dict[str, Any]:
    """A chat completion with a message; 100 tokens were read and 7 written."""
    choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": None, **message}}
    usage = {"prompt_tokens": 100, "completion_tokens": 7, "total_tokens": 107}
    return {"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": usage}


@contextmanager
def chat_server(answer: Callable[[dict[str, Any]], Any], key: str = "") -> Iterator[ChatServer]:
    """Run a server in a thread. It refuses requests without ``key``, if one is given."""
    server = ChatServer(answer)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            server.requests.append(body)
            server.headers.append(str(self.headers))
            server.authorizations.append(self.headers.get("authorization", ""))
            if key and self.headers.get("authorization") != f"Bearer {key}":
                return self.send(401, {"error": {"message": "Incorrect API key provided"}})
            try:
                found = server.answer(body)
            except Cut:
                self.connection.shutdown(socket.SHUT_RDWR)
                self.close_connection = True
                return None
            if isinstance(found, tuple):
                return self.send(found[0], {"error": {"message": f"status {found[0]}"}}, found[1])
            if isinstance(found, str):
                found = completion({"content": found})
            return self.send(200, found)

        def send(self, status, told, headers=()):
            data = json.dumps(told).encode()
            self.send_response(status)
            for name, value in {"content-type": "application/json", **dict(headers)}.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        listening.daemon_threads = True
        thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        server.address = f"http://127.0.0.1:{listening.server_address[1]}/v1"
        try:
            yield server
        finally:
            listening.shutdown()
            thread.join()


def slowly(seconds: float, words: str) -> Callable[[dict[str, Any]], str]:
    """An answer that takes a while."""

    def answer(_: dict[str, Any]) -> str:
        time.sleep(seconds)
        return words

    return answer
