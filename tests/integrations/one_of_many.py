"""One process of several that score together: `one_of_many.py RANK SIZE FOLDER`. Prints what it computes as JSON."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import torch.distributed

from treescore.integrations.torchmetrics import ParseScore


def main() -> None:
    rank, size, folder = int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
    meeting = (folder / "meeting").as_uri()
    torch.distributed.init_process_group("gloo", init_method=meeting, rank=rank, world_size=size)
    pairs = json.loads((folder / "pairs.json").read_text())
    score = ParseScore(figures="all")
    for gold, test in pairs[rank::size]:
        score.update([test], [gold])
    values = {name: value.item() for name, value in score.compute().items()}
    report = score.report()
    alone = ParseScore(sync_on_compute=False)
    alone.merge_state(score)
    result = {
        "values": values,
        "counts": report["parseval"].counts.total(),
        "problems": sum(report.problem_counts().values()),
        "own": alone.report()["parseval"].counts.total()["sentences"],
    }
    print(json.dumps(result))
    torch.distributed.destroy_process_group()


if __name__ == "__main__":
    main()
