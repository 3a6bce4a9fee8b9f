"""Mappings of nodes as JSON lines, one per sentence."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..pairing.node_mapping import NodeMappings
    from ..scoring.report import Report


def mapping_lines(report: Report, signature: str, mappings: NodeMappings) -> Iterator[str]:
    """The score of each sentence, the number of nodes, and [gold node, test node, IoU] for each pair of nodes.

    >>> import treescore
    >>> report = treescore.evaluate("(S (NN a))", "(S (NN a))", "struct_iou")
    >>> lines = list(mapping_lines(report, report.scores[0].signature, report.node_mappings()))
    >>> json.loads(lines[0])["mapping"]
    [[0, 0, 1.0], [1, 1, 1.0]]
    """
    rows = report.rows(signature)
    score_of = report.metrics[report.scores.index(report[signature])].row_figure
    columns = (rows[name] for name in ("sentence", score_of, "gold", "test"))
    for (sentence, score, gold, test), pairs in zip(zip(*columns, strict=True), mappings, strict=True):
        name = {"id": rows["id"][sentence - 1]} if "id" in rows else {}
        line = {
            "sentence": sentence,
            **name,
            "score": score,
            "gold_nodes": gold,
            "test_nodes": test,
            "mapping": pairs,
            "signature": signature,
        }
        yield json.dumps(line) + "\n"
