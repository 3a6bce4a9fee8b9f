"""JSON requests and answers of `treescore serve-stdin`.

Requests are independent (only metrics are cached), no file is opened, and errors are answers.

>>> result = answer({"id": 7, "gold": "(S (NP (NN a)) (VP (VB b)))", "test": "(S (NP (NN a)) (NP (VB b)))"})
>>> result["id"], result["scores"][0]["counts"]["matched"], result["problems"]
(7, 2, [])
>>> answer({"id": 8, "gold": "(S (NN a))"})["error"]
{'code': 'request', 'message': "'test' is missing"}
"""

from __future__ import annotations

import json
from functools import lru_cache

from .. import metrics as registry
from .._version import __version__
from ..helpers.text import number_of, visible
from ..metrics.impossible import impossible
from ..metrics.known_files import without_files
from ..readers.sources import are_conllu, form_of, read
from ..scoring.batch import columns_of
from ..scoring.choosing import choose
from ..scoring.evaluation import evaluate
from ..scoring.pairwise import pairwise
from ..scoring.tally import Tally
from ..values.problem import InputError, UsageError
from ..values.signature_text import SignatureError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from ..metrics.base import Metric
    from ..trees import Treebank
    from ..values.problem import Problem
    from ..values.score import Score

    Answer = dict[str, Any]

#: The version of the protocol; every change visible to clients increases it.
PROTOCOL = 1
#: Limits of a request, to bound time and memory.
MOST_SENTENCES, MOST_CANDIDATES, MOST_METRICS, MOST_DIGITS = 100_000, 1_000, 100, 40
#: The number of problems in an answer; their total number is always given.
MOST_PROBLEMS = 100
_MOST_METRICS_KEPT = 64
_LONGEST_SIGNATURE, _LONGEST_MESSAGE, _LONGEST_REAL = 10_000, 1_000, 400


class RequestError(ValueError):
    """A request that cannot be answered; `code` is for programs, the message for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def answer_line(line: bytes, *, threads: int | None = None) -> bytes:
    """The answer to a line, as a line: always JSON in ASCII.

    >>> answer_line(b'{"id": "a", "op": "version"')
    b'{"id": null, "error": {"code": "json", "message": "Expecting \\',\\' delimiter: line 1 column 28 (char 27)"}}\\n'
    """
    try:
        result = answer(_parsed(line), threads=threads)
    except RequestError as error:
        result = refused(error)
    try:
        return _serialized(result)
    except RecursionError:  # JSON can be read with deeper nesting than it can be written, here in the id
        return _serialized(refused(RequestError("json", "this is nested too deeply")))
    except MemoryError:
        return _serialized(refused(RequestError("memory", "not enough memory for this answer")))
    except ValueError:
        bug = RequestError("internal", "a figure is not a number; please report this")
        return _serialized(refused(bug, result["id"]))


def answer(request: object, *, threads: int | None = None) -> Answer:
    """The answer to a request, both as Python objects. `threads` does not affect the result.

    >>> answer({"op": "pairwise", "metric": "parseval", "candidates": ["(S (X a b) c)", "(S (Y a b) c)"]})["values"]
    [[1.0, 0.5], [0.5, 1.0]]
    >>> answer({"op": "sum", "metric": "functions", "counts": []})["error"]["code"]
    'request'
    """
    identifier = request.get("id") if isinstance(request, dict) else None
    try:
        return {"id": identifier, **_answered(request, threads)}
    except RequestError as error:
        return refused(error, identifier)
    except MemoryError:
        return refused(RequestError("memory", "not enough memory for this request"), identifier)
    except Exception as error:  # a bug in treescore must not prevent answers to later requests
        code = next((code for kind, code in _CODES.items() if isinstance(error, kind)), "internal")
        message = f"{type(error).__name__}: {error}; please report this" if code == "internal" else str(error)
        return refused(RequestError(code, message), identifier)


#: The codes of errors in requests; a SignatureError is also a UsageError.
_CODES = {SignatureError: "metric", UsageError: "request", InputError: "trees"}


def refused(error: RequestError, identifier: object = None) -> Answer:
    """The answer with an error.

    >>> refused(RequestError("utf-8", "this is not UTF-8"))
    {'id': None, 'error': {'code': 'utf-8', 'message': 'this is not UTF-8'}}
    """
    message = visible(str(error)[: _LONGEST_MESSAGE + 1])
    if len(message) > _LONGEST_MESSAGE:
        message = f"{message[:_LONGEST_MESSAGE]}…"
    return {"id": identifier, "error": {"code": error.code, "message": message}}


# Lines --------------------------------------------------------------------------------------------------------------


def _parsed(line: bytes) -> object:
    try:
        text = line.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RequestError("utf-8", f"this is not UTF-8: {error.reason} at byte {error.start}") from None
    if not text.strip():
        raise RequestError("json", "this line is empty; each line is one request")
    try:
        return _DECODER.decode(text)
    except ValueError as error:
        raise RequestError("json", str(error)) from None
    except RecursionError:
        raise RequestError("json", "this is nested too deeply") from None
    except MemoryError:
        raise RequestError("memory", "not enough memory for this request") from None


def _whole(digits: str) -> int:
    if len(digits) > MOST_DIGITS:  # reading them takes time that grows with their square
        raise ValueError(f"a number of more than {MOST_DIGITS} digits")
    return int(digits)


def _real(digits: str) -> float:
    if len(digits) > _LONGEST_REAL:
        raise ValueError(f"a number of more than {_LONGEST_REAL} digits")
    value = float(digits)
    if value in (float("inf"), float("-inf")):
        raise ValueError("a number that is too large")
    return value


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


_DECODER = json.JSONDecoder(parse_int=_whole, parse_float=_real, parse_constant=_refuse_constant)


def _serialized(result: Answer) -> bytes:
    return json.dumps(result, allow_nan=False).encode("ascii") + b"\n"


# Requests -----------------------------------------------------------------------------------------------------------


def _answered(request: object, threads: int | None) -> Answer:
    if not isinstance(request, dict):
        raise RequestError("request", f"a request is a JSON object, not {_kind(request)}")
    operation = request.get("op", "score")
    if not isinstance(operation, str) or operation not in OPERATIONS:
        raise RequestError("op", f"there is no op {_shown(operation)}; known: {', '.join(OPERATIONS)}")
    work, fields = OPERATIONS[operation]
    unknown = [name for name in request if name not in ("id", "op", *fields)]
    if unknown:
        known = ", ".join(["id", "op", *fields])
        raise RequestError("request", f"{operation!r} has no field {_shown(unknown[0])}; known: {known}")
    missing = [name for name, needed in fields.items() if needed and name not in request]
    if missing:
        raise RequestError("request", f"{missing[0]!r} is missing")
    return work(request, threads)


def _score(request: Mapping[str, Any], threads: int | None) -> Answer:
    metrics = request.get("metrics")
    if isinstance(metrics, str):
        metrics = [metrics]
    if metrics is not None:
        if not isinstance(metrics, list) or not metrics:
            what = "an empty one" if metrics == [] else _kind(metrics)
            raise RequestError("request", f"'metrics' must be a list of signatures, not {what}")
        _check_most(len(metrics), MOST_METRICS, "metric")
    report = evaluate(*_sides(request, metrics), metrics, threads=threads)
    scores = report.scores
    if metrics is not None and report.metrics[0].reads == "conllu":
        scores = scores * len(metrics)
    elif metrics is not None:  # one score for each, even if two are the same
        scores = [report[choose([report.trees], [signature]).metrics[0].signature] for signature in metrics]
    return {
        "scores": [_score_of(score) for score in scores],
        "remarks": report.remarks,
        **_problems(report.problems),
    }


def _align(request: Mapping[str, Any], threads: int | None) -> Answer:
    metric = _metric(request.get("metric", "struct_iou"))
    if not metric.maps_nodes:
        aligning = ", ".join(known["name"] for known in _known() if known["maps_nodes"])
        raise RequestError("metric", f"{metric.name} does not align nodes; these do: {aligning}")
    signature = request.get("metric", "struct_iou")
    report = evaluate(_side(request, "gold"), _side(request, "test"), signature, threads=threads)
    return {
        "scores": [_score_of(report.scores[0])],
        "alignments": list(report.node_mappings(threads=threads)),
        **_problems(report.problems),
    }


def _pairwise(request: Mapping[str, Any], threads: int | None) -> Answer:
    metric = _metric(request.get("metric", "struct_iou"))
    trees = request["candidates"]
    if not isinstance(trees, list):
        raise RequestError("request", f"'candidates' must be a list of trees, not {_kind(trees)}")
    _check_most(len(trees), MOST_CANDIDATES, "candidate")
    bank = _side(request, "candidates")
    values = [[_defined(value) for value in row] for row in pairwise(bank, metric, threads=threads)]
    return {"signature": metric.signature, "values": values, **_problems(bank.problems)}


def _sum(request: Mapping[str, Any], _: int | None) -> Answer:
    metric, rows = _metric(request["metric"], "trees", "conllu"), request["counts"]
    if not isinstance(rows, list) or not rows:
        raise RequestError("request", "'counts' must be a list of one or more objects of counts")
    wanted = _columns(metric.signature)
    for number, row in enumerate(rows, 1):
        if not isinstance(row, dict) or row.keys() != set(wanted):
            raise RequestError("counts", f"counts {number} are not those of {metric.name}: {', '.join(wanted)}")
        wrong = next((name for name in wanted if type(row[name]) is not int), None)
        if wrong is not None:
            raise RequestError("counts", f"{wrong!r} of counts {number} must be a whole number")
        reason = impossible(metric, row)
        if reason is not None:
            raise RequestError("counts", f"counts {number} cannot be those of trees: {reason}")
    tally = Tally([metric])
    for row in rows:
        tally.add_sums([row], 1)
    try:
        score = _score_of(tally.report().scores[0])
    except (ArithmeticError, ValueError):
        raise RequestError("counts", "these counts cannot be those of trees") from None
    return {"scores": [score]}


#: The operations with their fields; True for required ones.
OPERATIONS: dict[str, tuple[Callable[[Mapping[str, Any], int | None], Answer], dict[str, bool]]] = {
    "score": (_score, {"gold": True, "test": True, "metrics": False}),
    "align": (_align, {"gold": True, "test": True, "metric": False}),
    "pairwise": (_pairwise, {"candidates": True, "metric": False}),
    "sum": (_sum, {"metric": True, "counts": True}),
    "metrics": (lambda *_: {"metrics": _known()}, {}),
    "version": (lambda *_: {"version": __version__, "protocol": PROTOCOL, "ops": list(OPERATIONS)}, {}),
}


# Parts of requests and answers --------------------------------------------------------------------------------------


def _sides(request: Mapping[str, Any], metrics: list[str] | None) -> tuple[Any, Any]:
    """Gold and test: as CoNLL-U if both are or the metric needs it, otherwise as trees."""
    sides = [request["gold"], request["test"]]
    texts = [side.encode("utf-8", "surrogatepass") for side in sides if isinstance(side, str)]
    need_conllu = [_metric(signature, "trees", "conllu").reads == "conllu" for signature in metrics or ()]
    if any(need_conllu) and len(texts) < 2:
        raise RequestError("request", "conllu_eval compares two texts in CoNLL-U")
    if any(need_conllu) or (len(texts) == 2 and are_conllu(zip(("gold", "test"), texts, strict=True))):
        _check_most(max(text.count(b"\n\n") for text in texts), MOST_SENTENCES, "sentence")
        return texts[0], texts[1]
    return _side(request, "gold"), _side(request, "test")


def _side(request: Mapping[str, Any], field: str) -> Treebank:
    """The trees of a field: a string, or a list with a string or null per sentence; never a file name."""
    trees = request[field]
    sentences = trees if isinstance(trees, list) else [trees]
    _check_most(len(sentences), MOST_SENTENCES, "sentence")
    items = [tree for item in sentences for tree in (item if field == "gold" and isinstance(item, list) else [item])]
    wrong = next((item for item in items if item is not None and not isinstance(item, str)), None)
    if wrong is not None:
        message = f"{field!r} must be a text of trees, or a list of texts and null; there is {_kind(wrong)}"
        raise RequestError("request", message)
    try:
        text = "\n".join(filter(None, items)).encode("utf-8")
    except UnicodeEncodeError:
        raise RequestError("trees", f"{field!r} has half a surrogate pair, which is no character") from None
    name, form = f"<{field}>", form_of(text)
    if not isinstance(trees, str):  # each item is a sentence, whatever it looks like
        form = "brackets" if form in ("tiger", "nxt", "export") else "auto"
        return read(sentences, form=form, name=name, on_error="keep")
    if form in ("tiger", "nxt"):
        raise RequestError("trees", f"{field!r} is XML; here trees are written in brackets")
    if b"(" not in text and form == "brackets" and text.strip(b"\xef\xbb\xbf \t\r\n"):
        message = f"{field!r} is {_shown(trees)}, which is no tree in brackets; files are not opened here"
        raise RequestError("trees", message)
    bank = read(text, name=name, on_error="keep")  # bytes are always a text
    _check_most(len(bank), MOST_SENTENCES, "sentence")
    return bank


def _metric(signature: object, *reads: str) -> Metric:
    """The metric with this signature, which must compare trees unless `reads` allows others."""
    if not isinstance(signature, str):
        raise RequestError("request", f"a metric is named by its signature, a text, not by {_kind(signature)}")
    if len(signature) > _LONGEST_SIGNATURE:
        raise RequestError("limit", f"a signature of more than {_LONGEST_SIGNATURE:,} characters")
    metric = _cached_metric(signature)
    if metric.reads not in (reads or ("trees",)):
        raise RequestError("metric", f"{metric.name} compares CoNLL-U files, not trees")
    return metric


@lru_cache(maxsize=_MOST_METRICS_KEPT)
def _cached_metric(signature: str) -> Metric:
    try:
        with without_files():
            return registry.get(signature)
    except UnicodeEncodeError:
        raise RequestError("metric", "the signature has half a surrogate pair, which is no character") from None


@lru_cache(maxsize=_MOST_METRICS_KEPT)
def _columns(signature: str) -> tuple[str, ...]:
    """The names of a metric's counts."""
    return columns_of(_cached_metric(signature))


def _known() -> list[Answer]:
    """The metrics with default options."""
    return [
        {"name": metric.name, "signature": metric.signature, "reads": metric.reads, "maps_nodes": metric.maps_nodes}
        for metric in map(registry.get, registry.names())
    ]


def _score_of(score: Score) -> Answer:
    return {
        "signature": score.signature,
        "value": score.value,
        "all": score.all,
        "coverage": None if score.coverage is None else score.coverage.values(),
        "parts": score.parts,
        "counts": score.counts.total(),
    }


def _problems(problems: Iterable[Problem]) -> Answer:
    listed = list(problems)
    shown = [
        {"code": problem.code, "message": visible(str(problem)), "sentence": problem.unit}
        for problem in listed[:MOST_PROBLEMS]
    ]
    return {"problems": shown, "problem_count": len(listed)}


def _check_most(number: int, most: int, what: str) -> None:
    if number > most:
        raise RequestError("limit", f"{number_of(number, what)} in one request; at most {most:,} are answered")


def _defined(value: float) -> float | None:
    return None if value != value else float(value)


def _shown(value: object) -> str:
    text = repr(value) if isinstance(value, str) else _kind(value)
    return text if len(text) <= 60 else f"{text[:60]}…"


def _kind(value: object) -> str:
    """The name of a JSON type."""
    for kinds, name in _KINDS:
        if isinstance(value, kinds):
            return name
    return "null"


_KINDS: tuple[tuple[type | tuple[type, ...], str], ...] = (
    (bool, "true or false"),
    ((int, float), "a number"),
    (str, "a text"),
    (list, "a list"),
    (dict, "an object"),
)
