# The board in the browser, and every command that trains nothing, as a user without rights; works on a read-only disk too:
#   docker build -t dawn_env .
#   docker run --init --read-only --tmpfs /tmp --volume dawn_games:/games --publish 127.0.0.1:1989:1989 dawn_env
#   docker run --rm dawn_env dawn evaluate heuristic
FROM python:3.13-slim AS wheel
WORKDIR /source
COPY . .
RUN pip install --no-cache-dir -c constraints.txt ".[native]" build setuptools
RUN python packages/native/make_wheels.py --platform "manylinux2014_$(uname -m)" --out /wheels

# The wheel carries the compiled engine: no numba, no compiling, nothing that depends on the processor of the builder.
FROM python:3.13-slim
COPY --from=wheel /source/constraints.txt /tmp/
RUN --mount=type=bind,from=wheel,source=/wheels,target=/wheels \
    pip install --no-cache-dir -c /tmp/constraints.txt "$(ls /wheels/*.whl)[web]" \
    && useradd --uid 1989 dawn && install --directory --owner=dawn /games
RUN dawn compile && python -c "from dawn_agents.frontends.web.compiling_ahead import is_compiled; assert is_compiled()"
USER dawn
WORKDIR /games
VOLUME /games
EXPOSE 1989
CMD ["dawn", "web", "--host", "0.0.0.0", "--data", "/games/web.sqlite"]
