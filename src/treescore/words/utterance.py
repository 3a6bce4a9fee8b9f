"""Utterances: transcripts with an id, a speaker, and a position in a recording."""

from __future__ import annotations

from ..values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from .. import _core
    from ..values.problem import Problem
    from .transcript import Transcript

    InColumns = tuple[_core.WordColumns, int]


class Utterance(Value):
    """A transcript with the metadata of its file.

    `line` is its line in the file; `lines` are the lines of its words if each has a separate line.
    """

    transcript: Transcript
    id: str | None
    speaker: str | None
    file: str | None
    channel: str | None
    begin: float | None
    end: float | None
    labels: str | None
    line: int | None
    lines: tuple[int, ...] | None

    def __init__(
        self,
        transcript: Transcript,
        *,
        id: str | None = None,
        speaker: str | None = None,
        file: str | None = None,
        channel: str | None = None,
        begin: float | None = None,
        end: float | None = None,
        labels: str | None = None,
        line: int | None = None,
        lines: Sequence[int] | None = None,
    ) -> None:
        store = object.__setattr__  # faster than `_store`
        store(self, "transcript", transcript)
        store(self, "id", id)
        store(self, "speaker", speaker)
        store(self, "file", file)
        store(self, "channel", channel)
        store(self, "begin", begin)
        store(self, "end", end)
        store(self, "labels", labels)
        store(self, "line", line)
        store(self, "lines", None if lines is None else tuple(lines))

    def only(self, indices: Sequence[int]) -> Utterance:
        """The utterance with only these words, in this order, and without alternatives.

        >>> from treescore.words.transcript import Transcript
        >>> Utterance(Transcript(["a", "b", "c"]), lines=[1, 2, 3]).only([2, 0])
        Utterance(transcript=Transcript(words=('c', 'a'), nulls=frozenset()), lines=(3, 1))
        """
        from .transcript import Transcript

        words, times = self.transcript.words, self.transcript.times
        transcript = Transcript(
            [words[index] for index in indices], times=None if times is None else [times[index] for index in indices]
        )
        lines = None if self.lines is None else [self.lines[index] for index in indices]
        return self.replace(transcript=transcript, lines=lines)


def utterance_of(columns: _core.WordColumns, number: int) -> Utterance:
    """An utterance of native columns as a Python object."""
    from .transcript import Transcript

    id, speaker, file, channel = columns.names(number)
    begin, end = columns.limits(number)
    return Utterance(
        Transcript(columns.words(number), times=columns.times(number)),
        id=id,
        speaker=speaker,
        file=file,
        channel=channel,
        begin=begin,
        end=end,
        line=columns.line(number) or None,
        lines=columns.lines(number),
    )


class Utterances:
    """The content of a file of transcripts, its format, and its problems.

    `notes` report choices of the reader, such as the tier of the words. `is_sound` means that the times of all
    utterances were corrected. `paths` has the file of each utterance if there are several.

    An utterance may be given as native columns and its number in them; it becomes a Python object when it is needed.
    """

    __slots__ = ("_all", "format", "is_sound", "name", "notes", "paths", "problems")

    def __init__(
        self,
        utterances: Iterable[Utterance | InColumns],
        *,
        format: str,
        name: str | None = None,
        problems: Sequence[Problem] = (),
        notes: Sequence[str] = (),
        is_sound: bool = False,
        paths: Sequence[str | None] | None = None,
    ) -> None:
        self._all = list(utterances)
        self.paths = (None,) * len(self._all) if paths is None else tuple(paths)
        self.is_sound = is_sound
        self.format = format
        self.name = name
        self.problems = tuple(problems)
        self.notes = tuple(notes)

    def __len__(self) -> int:
        return len(self._all)

    def __getitem__(self, index: int) -> Utterance:
        utterance = self._all[index]
        if isinstance(utterance, tuple):
            utterance = self._all[index] = utterance_of(*utterance)
        return utterance

    def __iter__(self) -> Iterator[Utterance]:
        return map(self.__getitem__, range(len(self._all)))

    def __getstate__(self) -> tuple[None, dict[str, object]]:
        self._all = list(self)  # native columns cannot be pickled
        return None, {name: getattr(self, name) for name in self.__slots__}

    def __repr__(self) -> str:
        from ..helpers.text import number_of

        return f"<Utterances: {number_of(len(self._all), 'utterance')} from {self.name or self.format}>"

    def in_columns(self) -> list[Utterance | InColumns]:
        """All utterances as they are stored: as Python objects, or as columns and a number."""
        return list(self._all)

    def columns(self) -> list[_core.WordColumns]:
        """All native columns in which utterances are stored."""
        return list({id(item[0]): item[0] for item in self._all if isinstance(item, tuple)}.values())
