"""Options that several metrics have, each declared once; those of recipes are declared in `treescore.recipe`."""

from __future__ import annotations

from ..place.axis import AXES
from ..profiles import PROFILES
from ..readers.prm import check_parameters
from ..recipe import recipe_options
from ..values.option import Choice, Number, Option
from ..values.signature_text import SignatureError, unquote
from ..values.suggestions import suggestion
from .known_files import recall

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..place.axis import Axis


class Source(Option):
    """An option from which others take their values. These are described instead."""

    def sentence(self, value: Any) -> str:
        return ""


class Profile(Source):
    """The name of a profile."""

    kind = "the name of a profile"

    def checked(self, value: Any) -> Any:
        if value not in PROFILES:
            raise SignatureError(f"there is no profile {value!r}; {suggestion(str(value), PROFILES)}")
        return value


class ParameterFile(Source):
    """A parameter file: its content, and in signatures its name or the hash of its content."""

    kind = "a file"
    program, advice = "EVALB", "--prm FILE or prm:FILE"

    def parse(self, text: str) -> bytes:
        data = recall(text, "parameter", self.advice)
        check_parameters(data, unquote(text), self.program)
        return data


class OnAxis(Choice):
    """The axis on which leaves are placed."""

    def checked(self, value: Any) -> Axis:
        return AXES[super().checked(str(value))]


class HeadTableName(Option):
    """The name of a head table, or a file with a table."""

    kind = "the name of a head table or a file"

    def unquoted(self, text: str) -> str:
        return unquote(text)


PROFILE = Profile("profile", None, "the options come from this profile, unless they are given")
PRM = ParameterFile("prm", None, "the options come from this parameter file, unless they are given")
AXIS = OnAxis(
    "axis",
    "words",
    choices={
        "words": "nodes are intervals of words",
        "characters": "nodes are intervals of characters",
        "seconds": "nodes are intervals of seconds",
    },
    is_always_written=True,
)
#: The predicted work above which a pair of trees is not compared.
LIMIT = Number(
    "limit",
    60,
    "pairs of trees whose comparison would take more than {} seconds are lost",
    expects="a number of seconds above 0",
    allows=lambda seconds: seconds > 0,
)
HEADS = HeadTableName("heads", "collins", "heads by the table {}", is_always_written=True)
UNIT = Choice(
    "unit",
    "line",
    choices={
        "line": "each gold tree is compared with its test tree",
        "file": "a whole file is compared, whatever its sentences, such as one side of a conversation",
    },
    is_always_written=True,
)

#: Options of recipes: for metrics over nodes, and for metrics over words with the phrases above them.
NODE_OPTIONS = recipe_options(
    *("delete", "delete-words", "keep", "delete-tags", "equal", "cut", "cut-tags", "cut-delete"),
)
WORD_OPTIONS = recipe_options(
    *("delete", "delete-words", "keep", "delete-by", "delete-tags", "equal", "text", "cut", "cut-delete"),
)
