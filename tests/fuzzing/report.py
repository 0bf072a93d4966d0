"""Report of the mutants of a target."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from fuzzing.attempt import ACCEPTED, FINDINGS, REFUSED, Outcome


def findings(outcomes: Sequence[Outcome]) -> dict[tuple[str, str], list[int]]:
    """Numbers of the mutants by (kind, what) of each finding, the most frequent first."""
    found = defaultdict(list)
    for outcome in outcomes:
        if outcome.kind in FINDINGS:
            found[outcome.kind, outcome.what].append(outcome.number)
    return dict(sorted(found.items(), key=lambda item: -len(item[1])))


def report(name: str, outcomes: Sequence[Outcome], seed: int) -> Iterator[str]:
    """Lines: how many were refused and accepted, and each finding with what repeats it."""
    refused = Counter(outcome.what for outcome in outcomes if outcome.kind == REFUSED)
    accepted = sum(outcome.kind == ACCEPTED for outcome in outcomes)
    classes = ", ".join(f"{error} {count}" for error, count in refused.most_common())
    yield f"{name}: {len(outcomes)} mutants, seed {seed}"
    yield f"  refused with a clear error: {refused.total()}" + (f" ({classes})" if classes else "")
    yield f"  accepted and played on legally: {accepted}"
    yield f"  findings: {len(outcomes) - refused.total() - accepted}"
    for (kind, what), numbers in findings(outcomes).items():
        yield f"    {kind}: {what}"
        yield f"      numbers {', '.join(map(str, numbers))}; repeat: {again(name, seed, numbers[0])}"


def again(name: str, seed: int, number: int) -> str:
    return f"python scripts/fuzz.py --target {name} --seed {seed} --only {number}"
