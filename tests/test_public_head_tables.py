"""Head tables in the formats of other programs: what is read, how it is detected, and errors with their lines.

The samples are short extracts in the formats of the files, with rules of published tables.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from command import treescore_inside

import treescore
from treescore.heads import HeadTable, find

MAGERMAN = """ADJP  right % QP JJ
ADVP  left  RBR RB
FRAG  left  **
VP    left  VBD VBN
"""
COLLINS = """4 ADJP 0 NNS QP
3 CONJP 1 CC
2 FRAG  1
4 VP 0 TO VBD
"""
BIKEL = """;; a comment (with brackets
((ADJP (r ADJP JJ)
       (r AD NN CS)
       (r))
 (DP (l DP DT)
     (l))
 (* (r)))
"""
DISCO_DOP = """% a comment

ADJP left $
ADJP rightdis NNS NN JJ
ADJP left ADJP
JJP like ADJP
PRT right
"""
RPARSE = """%/* a comment
% * of several lines */
s right-to-left vvfin vmfin
pp left-to-right appr
"""
CLEARNLP = """NP\tr\tNN.*|NML;NX;-NOM;QP|JJ.*;.*
WHNP\tl\tWP$;WDT
"""
PENN2MALT = """NP\tr POS|NN|NNS;r NX;l NP;r *
S\tl VP;l *-PRD;l S
X\tr
"""
JOHANSSON_NUGUES = """ADJP ← NNS QP
FRAG → (NN* | NP) W* (PP | IN) **
NP,NX → (NNS | NX) JJR
"""
CORENLP = """// put("NP", new String[][]{{"left", "OLD"}});
public class ModCollinsHeadFinder extends CollinsHeadFinder {
  /* nonTerminalInfo.put("S", new String[][]{{"left", "OLD"}}); */
  nonTerminalInfo.put("NP", new String[][]{{"left", "OLD"}});
  nonTerminalInfo.put("NP", new String[][]{{"rightdis", "NN", "NNS"}, {"left", "NP"}, {"right", "$"}}); // new
  nonTerminalInfo.put("FRAG", new String[][]{{"right"}});
"""
SUN_JURAFSKY = """String[] leftExceptPunct = {"leftexcept", "PU"};
String left = (coordSwitch ? "right" : "left");
nonTerminalInfo.put("ROOT", new String[][]{{left, "IP"}});
nonTerminalInfo.put("VP", new String[][]{{"left", "VP", "VV"}, leftExceptPunct});
nonTerminalInfo.put("DNP", new String[][]{{"right", "DEG"}, {"rightexcept", "PU"}});
"""
OTHER_CODE = """rules["NP"] = new string[][] { new string[] { "left", "$" }, new string[] { "rightdis", "NNS", "``" } };
RULES = {'VP': [['left', 'VBD'], ('rightdis', 'VB', 'VBN')], 'X': [['right']]}  # Python
"ADJP" => [['first', NNS], ['last', '\\$'], ['first', '*']],
"""
SKIPPED = "*skip* (l `` '' , . : -LRB- -RRB- PU)\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (MAGERMAN, "ADJP (r %) (r QP) (r JJ) (r)\nADVP (l RBR) (l RB) (l)\nFRAG (l)\nVP (l VBD) (l VBN) (l)\n"),
        (
            COLLINS,
            "ADJP (l NNS) (l QP) (l)\nCONJP (r CC) (r)\nFRAG (r)\nVP (l TO) (l VBD) (l)\n"
            "NP (r NN NNP NNPS NNS NX POS JJR) (l NP) (r $ ADJP PRN) (r CD) (r JJ JJS RB QP) (r)\n",
        ),
        (DISCO_DOP, "ADJP (l $) (r NNS NN JJ) (l ADJP) (l)\nJJP (l $) (r NNS NN JJ) (l ADJP) (l)\nPRT (r)\n"),
        (RPARSE, "S (r VVFIN) (r VMFIN) (r)\nPP (l APPR) (l)\n"),
        (
            CLEARNLP,
            "NP (r NNS NN NNP NNPS NML) (r NX) (r QP JJ JJR JJS JJP) (r)\nWHNP (l WP$) (l WDT) (l)\n",
        ),
        (PENN2MALT, "NP (r POS NN NNS) (r NX) (l NP) (r)\nS (l VP) (l S) (l)\nX (r)\n"),
        (
            JOHANSSON_NUGUES,
            "ADJP (l NNS) (l QP) (l)\n"
            "FRAG (r NNS NN NNP NNPS NP) (r WHNP WHPP WHADVP WHADJP WRB WDT WP WP$) (r PP IN) (r)\n"
            "NP (r NNS NX) (r JJR) (r)\nNX (r NNS NX) (r JJR) (r)\n",
        ),
    ],
)
def test_tables_in_lines(text: str, expected: str) -> None:
    table = HeadTable.read(text)
    assert str(table) == "*default* (l)\n" + expected
    assert HeadTable.read(text.replace("\n", "\r\n").encode()) == table
    assert HeadTable.read("\ufeff" + text) == table


def test_bikel() -> None:
    table = HeadTable.read(BIKEL)
    assert str(table) == "*default* (r)\nADJP (r ADJP JJ) (r AD NN CS) (r)\nDP (l DP DT) (l)\n"


@pytest.mark.parametrize(
    ("text", "conjunctions", "skip", "expected"),
    [
        (CORENLP, ("CC", "CONJP"), SKIPPED, "NP (r NN NNS) (l NP) (r $) (r)\nFRAG (r)\n"),
        (
            SUN_JURAFSKY,
            (),
            "*skip* (l PU `` '' , . : -LRB- -RRB-)\n",
            "ROOT (l IP) (l)\nVP (l VP) (l VV) (l)\nDNP (r DEG) (r)\n",
        ),
        (
            OTHER_CODE,
            ("CC", "CONJP"),
            SKIPPED,
            "NP (l $) (r NNS ``) (r)\nVP (l VBD) (r VB VBN) (r)\nX (r)\nADJP (l NNS) (r $) (l)\n",
        ),
    ],
)
def test_tables_in_code(text: str, conjunctions: tuple[str, ...], skip: str, expected: str) -> None:
    table = HeadTable.read(text)
    assert table.conjunctions == conjunctions
    assert str(table).partition(skip)[2] == expected


def test_what_cannot_be_used_is_reported() -> None:
    assert [str(problem) for problem in HeadTable.read(CLEARNLP, name="c").problems] == [
        "c:1: -NOM is a function tag; heads are found by categories alone (left out)"
    ]
    assert [str(problem) for problem in HeadTable.read(PENN2MALT, name="p").problems] == [
        "p:2: *-PRD is a function tag; heads are found by categories alone (left out)"
    ]
    assert [problem.code for problem in HeadTable.read(COLLINS).problems] == ["no-np"]
    assert not HeadTable.read(MAGERMAN).problems


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ADJP left NNS\nVP leftt VB\n", "t:2: leftt is not a direction; a line is CATEGORY DIRECTION LABEL …"),
        ("ADJP left\nVP\n", "t:2: VP has no direction; a line is"),
        ("5 ADJP 0 NNS QP\n", "t:1: 5 fields are announced, but there are 4"),
        ("ADJP left\nX like Y\n", "t:2: X is like Y, which has no rule above"),
        ("NP r NN\nVP\n", "t:2: there is no direction; a line is CATEGORY l LABEL;LABEL or CATEGORY ← LABEL …"),
        ("NP r NN\nVP\tr\tVB[\n", "t:2: VB[ is not a pattern"),
        ("((ADJP (r JJ)\n(x))\n", "t:2: a group starts with its direction, l or r"),
        ("((ADJP (r JJ)))\n)\n", "t:2: this bracket closes nothing"),
        ("((ADJP (r JJ))\n", "t:1: a bracket is not closed"),
        ("((ADJP (r JJ)))\nNP\n", "t:2: NP is outside the brackets"),
        ("((ADJP (r (JJ))))\n", "t:1: groups do not nest"),
        ("((NP VP (r JJ)))\n", "t:1: a rule is a category and its groups"),
        ("()\n", "t:1: there is no rule in it"),
    ],
)
def test_one_line_errors(text: str, message: str) -> None:
    with pytest.raises(treescore.InputError) as caught:
        HeadTable.read(text.encode(), name="t")
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_the_same_heads_in_all_formats() -> None:
    """Collins' VP rule in each format finds the same heads."""
    tree = treescore.read("(S (NP (PRP we)) (VP (VBD left) (NP (NN town)) (VBN gone)))")[0]
    texts = (
        "VP left TO VBD VBN\n",
        "5 VP 0 TO VBD VBN\n",
        "((VP (l TO) (l VBD) (l VBN)))\n",
        "VP\tl\tTO;VBD;VBN\n",
        "VP\tl TO;l VBD;l VBN\n",
        "VP ← TO VBD VBN\n",
        'put("VP", new String[][]{{"left", "TO", "VBD", "VBN"}});\n',
    )
    assert {tuple(find(tree, HeadTable.read(text))) for text in texts} == {((0, 0), (0, 0), (0, 1), (0, 2))}


def test_the_command(tmp_path: Path) -> None:
    (tmp_path / "heads.txt").write_text(PENN2MALT)
    (tmp_path / "cat.mrg").write_text("(TOP (S (NP (DT the) (NN cat)) (VP (VBZ sleeps))))\n")
    out, err = treescore_inside(tmp_path, "heads", "cat.mrg", "--table", "heads.txt")
    assert out == "(TOP (S^sleeps (NP^cat (DT the) (NN cat)) (VP^sleeps (VBZ sleeps))))\n"
    assert err.startswith("treescore: heads.txt:2: *-PRD is a function tag")
    out = treescore_inside(tmp_path, "cat.mrg", "cat.mrg", "-m", "sparseval|heads:heads.txt")[0]
    assert "Head dependencies: F1" in out
    (tmp_path / "bad.txt").write_text("S left VP\nNP leftt NN\n")
    err = treescore_inside(tmp_path, "heads", "cat.mrg", "--table", "bad.txt", code=2)[1]
    assert err.startswith("treescore: error: bad.txt:2: leftt is not a direction")
