"""Views of the scores of the same files by every profile, and of the figures that agree with a published number."""

from __future__ import annotations

from ..helpers.problem_lines import problem_values
from ..helpers.text import number_of
from ..profiles import PROFILES
from ..scoring.published import applicable, by_profile, matches, parsed
from ..values.score import ALL
from .grids import DAGGER, Grid, Marked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from ..scoring.report import Report
    from ..values.score import Score
    from .grids import Cell


class AllProfilesView:
    """The contents of a report with a score for each applicable profile."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.reasons = applicable(report.trees)[1]

    def tables(self) -> list[Grid]:
        """A row for each profile."""
        is_partial = any(score.is_partial for score in self.report)
        header = ["profile", "headline", "score", *(["coverage", "all sentences"] if is_partial else [])]
        rows: list[list[Cell]] = []
        for record in self._scored():
            row = [record["profile"], record["headline"], record["part"]]
            if is_partial:
                row += [record["coverage"], record["part_all"]]
            rows.append(row)
        return [self._grid(header, rows, texts=["headline"])]

    def rows(self) -> Iterator[Sequence[Cell]]:
        """A row for each profile; the reason is that of a profile that is not applicable."""
        names = ("profile", "headline", "value", "all", "coverage", "signature", "reason")
        yield names
        for record in self.records():
            yield [record[name] for name in names]

    def records(self) -> Iterator[dict[str, Any]]:
        """An object for each profile."""
        for record in self._scored():
            yield {name: value for name, value in record.items() if not name.startswith("part")}

    def data(self) -> dict[str, Any]:
        """Everything."""
        report = self.report
        problems = problem_values(report.problems, report.problem_counts())
        return {
            **report.provenance,
            "remarks": list(report.remarks),
            "profiles": list(self.records()),
            "problems": problems,
        }

    def _scored(self) -> Iterator[dict[str, Any]]:
        scores = by_profile(self.report)
        for name in PROFILES:
            if name in scores:
                yield _record(name, scores[name][1])
            elif name in self.reasons:
                values = dict.fromkeys(("value", "all", "coverage", "signature", "part", "part_all"))
                yield {"profile": name, "headline": "not applicable", **values, "reason": self.reasons[name]}

    def _grid(self, header: list[str], rows: list[list[Cell]], *, texts: list[str], before: str = "") -> Grid:
        report = self.report
        title = f"{report.test.source.name or 'test'} against {report.gold.source.name or 'gold'}"
        remarks = [*report.remarks, *([before] if before else [])]
        partial = sum(score.is_partial for score in report)
        above = []
        if partial:
            failed = max(score.coverage.failed if score.coverage else 0 for score in report)
            above = [
                f"{partial} of {number_of(len(report), 'profile')} leave out failed sentences, at most {failed:,} of "
                f"{report.size:,}; figures over all sentences count them as wrong"
            ]
        return Grid(title, header, rows, self._notes(), texts=texts, before=remarks, above=above)

    def _notes(self) -> list[str]:
        report = self.report
        notes = [number_of(report.size, "sentence")]
        notes += [f"{name} is not applicable: it {reason}" for name, reason in self.reasons.items()]
        notes += [problem.message for problem in report.problems if problem.code == "original"]
        patterns = [
            score.signature.replace(f"|profile:{name}|", "|profile:PROFILE|")
            for name, (_, score) in by_profile(report).items()
        ]
        return [*notes, *dict.fromkeys(patterns)]


def _record(name: str, score: Score) -> dict[str, Any]:
    part = score.figures[score.main]
    return {
        "profile": name,
        "headline": part.title,
        "value": score.value,
        "all": score.all,
        "coverage": None if score.coverage is None else float(score.coverage),
        "signature": score.signature,
        "reason": None,
        "part": Marked(part.shown(), DAGGER) if score.is_partial else part,
        "part_all": score.all_figures.get(score.main),
    }


class WhichF1View(AllProfilesView):
    """The figures of such a report that agree with a `published` number, or the nearest ones."""

    def __init__(self, report: Report, *, published: str) -> None:
        super().__init__(report)
        self.published = published
        self.matches = matches(report, published)

    @staticmethod
    def check(_: str, *, published: str) -> None:
        """Refuse what is no figure in percent."""
        parsed(published)

    def tables(self) -> list[Grid]:
        """A row for each figure."""
        agree = any(match.agrees for match in self.matches)
        line = f"F1 that rounds to {self.published}" if agree else f"no F1 rounds to {self.published}; the nearest"
        rows: list[list[Cell]] = []
        for match, record in zip(self.matches, self.records(), strict=True):
            kind = "headline" if match.figure == match.score.main else "other figure"
            over = "all sentences" if record["over_all"] else "scored sentences"
            rows.append([match.profile, match.part.title, match.part, over, kind])
        header = ["profile", "figure", "score", "over", "kind"]
        return [self._grid(header, rows, texts=["figure", "over", "kind"], before=line)]

    def rows(self) -> Iterator[Sequence[Cell]]:
        """A row for each figure."""
        names = ("profile", "figure", "title", "over_all", "value", "headline", "agrees", "signature")
        yield names
        for record in self.records():
            yield [record[name] for name in names]

    def records(self) -> Iterator[dict[str, Any]]:
        """An object for each figure."""
        for match in self.matches:
            yield {
                "profile": match.profile,
                "figure": match.figure,
                "title": match.part.title,
                "over_all": match.figure.endswith(ALL),
                "value": match.part.value,
                "headline": match.figure == match.score.main,
                "agrees": match.agrees,
                "signature": match.score.signature,
            }

    def data(self) -> dict[str, Any]:
        """Everything."""
        data = super().data()
        return {**data, "published": self.published, "figures": data.pop("profiles")}
