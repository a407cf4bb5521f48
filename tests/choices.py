"""Which answers the table allows, and small sets of answers that cover them."""

import itertools
import json
from functools import cache

import covertable

from . import ROOT

TABLE = json.loads((ROOT / "cookiecutter.json").read_text(encoding="utf-8"))
QUESTIONS = {
    name: [choice for choice in choices if choice != "auto"]
    for name, choices in TABLE.items()
    if isinstance(choices, list) and not name.startswith("_")
} | {"accumulation_steps": ["1", "4"]}
"""every question with a choice, and what may be chosen"""

Pair = frozenset[tuple[str, str]]


def allowed(answers: dict[str, str]) -> bool:
    """Tell whether the table allows these answers; questions not answered do not matter."""
    task = answers.get("task")
    tasks = [task] if task else list(TABLE["_tasks"])
    fits_a_task = any(
        all(
            answers[question] in TABLE["_tasks"][task][question]
            for question in TABLE["_tasks"][task]
            if question in answers
        )
        for task in tasks
    )
    return fits_a_task and not any(
        all(answers.get(q) in choices for q, choices in conflict.items() if q != "why")
        for conflict in TABLE["_conflicts"]
    )


def allowed_pairs() -> set[Pair]:
    """Every two choices of two questions that the table allows together."""
    pairs = set()
    for (a, of_a), (b, of_b) in itertools.combinations(QUESTIONS.items(), 2):
        for choices in itertools.product(of_a, of_b):
            if completable(dict(zip((a, b), choices))):
                pairs.add(frozenset(zip((a, b), choices)))
    return pairs


def completable(answers: dict[str, str]) -> bool:
    """Tell whether some whole set of answers has these."""
    linked = ("task", *next(iter(TABLE["_tasks"].values())))
    free = [question for question in linked if question not in answers]
    return any(
        allowed(answers | dict(zip(free, choices)))
        for choices in itertools.product(*(QUESTIONS[question] for question in free))
    )


def pairs_of(answers: dict[str, str]) -> set[Pair]:
    """Every two answers in a set of answers."""
    return {frozenset(pair) for pair in itertools.combinations(answers.items(), 2)}


@cache
def every_pair() -> list[dict[str, str]]:
    """Answer sets such that every allowed pair is in one of them."""
    return covertable.make(QUESTIONS, strength=2, constraints=constraints())


def constraints() -> list[dict]:
    """Say to the covering-array library what ``_tasks`` and ``_conflicts`` say."""

    def among(question: str, choices: list[str]) -> dict:
        return {"operator": "in", "left": question, "values": choices}

    def never_all(conditions: list[dict]) -> dict:
        return {"operator": "not", "condition": {"operator": "and", "conditions": conditions}}

    tasks = [
        {"operator": "or", "conditions": [{"operator": "ne", "left": "task", "value": task}, fits]}
        for task, questions in TABLE["_tasks"].items()
        for fits in (among(question, choices) for question, choices in questions.items())
    ]
    conflicts = [
        never_all(
            [
                among(question, choices)
                for question, choices in conflict.items()
                if question != "why"
            ]
        )
        for conflict in TABLE["_conflicts"]
    ]
    return tasks + conflicts


def every_choice() -> list[dict[str, str]]:
    """Few answer sets such that every choice is in one of them: picked greedily from the pairs."""
    return cover(every_pair(), [])


def every_choice_of_every_task() -> list[dict[str, str]]:
    """Few answer sets with every choice in every task that takes it, each task's defaults first."""
    return [
        answers
        for task in TABLE["_tasks"]
        for answers in cover(
            [answers for answers in every_pair() if answers["task"] == task], [defaults(task)]
        )
    ]


def defaults(task: str) -> dict[str, str]:
    """The answers that ``task=...`` alone stands for."""
    first = {question: choices[0] for question, choices in QUESTIONS.items()}
    own = {question: choices[0] for question, choices in TABLE["_tasks"][task].items()}
    return first | own | {"task": task}


def cover(candidates: list[dict[str, str]], picked: list[dict[str, str]]) -> list[dict[str, str]]:
    """Add to ``picked`` always the candidate with the most choices still missing, until none is."""
    missing = {answer for answers in candidates for answer in answers.items()}
    picked = list(picked)
    missing -= {answer for answers in picked for answer in answers.items()}
    while missing:
        best = max(candidates, key=lambda answers: len(missing & answers.items()))
        picked.append(best)
        missing -= best.items()
    return picked


def name(answers: dict[str, str]) -> str:
    """Join the answers into a test's name."""
    return "-".join(answers.values())
