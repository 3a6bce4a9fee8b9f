"""Utterances: transcripts with a name, a speaker, and a place in a recording."""

from __future__ import annotations

from ..values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..values.problem import Problem
    from .transcript import Transcript


class Utterance(Value):
    """A transcript and what its file says about it.

    `line` is where it stands there; `lines` are the lines of its words where each has its own.
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
        store = object.__setattr__  # there may be very many
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

    def only(self, places: Sequence[int]) -> Utterance:
        """The utterance with only the words at these places, in this order, and without alternatives.

        >>> from treescore.words.transcript import Transcript
        >>> Utterance(Transcript(["a", "b", "c"]), lines=[1, 2, 3]).only([2, 0])
        Utterance(transcript=Transcript(words=('c', 'a'), nulls=frozenset()), lines=(3, 1))
        """
        from .transcript import Transcript

        whole, times = self.transcript, self.transcript.times
        words = [whole.words[place] for place in places]
        transcript = Transcript(words, times=None if times is None else [times[place] for place in places])
        lines = None if self.lines is None else [self.lines[place] for place in places]
        return self.replace(transcript=transcript, lines=lines)


class Utterances:
    """What a file of transcripts holds, its format, and what was wrong with it.

    `notes` are sentences about what the reader had to choose, such as the tier of which the words are. With `is_sound`
    the times of each utterance have been put right. `paths` has the file from which each was read, where there are
    several.
    """

    __slots__ = ("_all", "format", "is_sound", "name", "notes", "paths", "problems")

    def __init__(
        self,
        utterances: Sequence[Utterance],
        *,
        format: str,
        name: str | None = None,
        problems: Sequence[Problem] = (),
        notes: Sequence[str] = (),
        is_sound: bool = False,
        paths: Sequence[str | None] | None = None,
    ) -> None:
        self._all = tuple(utterances)
        self.paths = (None,) * len(self._all) if paths is None else tuple(paths)
        self.is_sound = is_sound
        self.format = format
        self.name = name
        self.problems = tuple(problems)
        self.notes = tuple(notes)

    def __len__(self) -> int:
        return len(self._all)

    def __getitem__(self, index: int) -> Utterance:
        return self._all[index]

    def __iter__(self) -> Iterator[Utterance]:
        return iter(self._all)

    def __repr__(self) -> str:
        from ..helpers.text import number_of

        return f"<Utterances: {number_of(len(self._all), 'utterance')} from {self.name or self.format}>"
