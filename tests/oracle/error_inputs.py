"""Random pairs for error classes, the same for the same seed: a plausible tree, and what a parser might make of it.

python -m oracle.error_inputs SEED          prints one pair, in the folder above
"""

from __future__ import annotations

import sys
from random import Random

from oracle.error_classes import Node, copy, leaves, nodes, phrases, place, write

LONGEST = 25
RULES = {
    "S": "NP VP | NP VP . | NP ADVP VP . | PP , NP VP . | S CC S . | SBAR , NP VP | VP | `` S '' NP VP .",
    "SINV": "`` S , '' VP NP .",
    "FRAG": "NP . | ADVP PP",
    "NP": "DT NN | DT JJ NN | PRP | NNS | NNP NNP | NP PP | NP PP | NP SBAR | NP VP | NP CC NP | NP , NP , | NP NN | "
    "DT NN POS | QP NNS | NP PRN | DT NML NN | NN NN NN CC NN | DT ADJP NN | NP , NP CC NP | EX",
    "NML": "NN NN | JJ NN",
    "VP": "VBD | VBD NP | VBD NP PP | VBD PP | VBD SBAR | VBZ ADJP | MD VP | TO VP | VBD S | VP CC VP | "
    "VBD NP ADVP | VBD ADVP | VBD PRT NP | VBG NP | VBD NP PP PP | VBZ UCP | ADVP VBD NP | VBD RB VP",
    "PP": "IN NP | IN NP | IN S | IN PP | ADVP IN NP | TO NP",
    "SBAR": "IN S | WHNP S | WHADVP S | S",
    "WHNP": "WDT | WP",
    "WHADVP": "WRB",
    "ADVP": "RB | RB RB | RB PP | NP RB",
    "ADJP": "JJ | RB JJ | JJ PP | JJ CC JJ | JJ S",
    "UCP": "ADJP CC NP | NP CC SBAR",
    "QP": "CD CD | IN CD | RB CD CC CD",
    "PRN": "-LRB- NP -RRB- | : S : | -LRB- CD -RRB-",
    "PRT": "RP",
}
SHORT = {"S": "VP", "SINV": "VP NP", "FRAG": "NP", "NP": "NN", "VP": "VBD", "PP": "IN NP", "SBAR": "IN S", "ADJP": "JJ"}
LABELS = (*RULES, "NP", "NP", "VP", "PP", "NX", "X", "ROOT")
WORDS = {",": ",", ".": ".", ":": "--", "``": "``", "''": "''", "-LRB-": "-LRB-", "-RRB-": "-RRB-", "CC": "and"}
WRONG_TAGS = ("NN", "NNP", "JJ", "RB", "VBN", "IN", "CC", "''", "``", ":", ",", ".", "PRT", "JJ|RB")
FUNCTIONS = ("-SBJ", "-TMP", "=2", "-LOC-1", "|ADVP", "|X")
OUTERMOST = ("ROOT", "ROOT", "ROOT", "ROOT", "", "TOP", "S1", "VROOT", None, None)


def grown(random: Random, label: str, depth: int) -> Node:
    """A phrase by rules, the shorter the deeper."""
    if label not in RULES:
        return Node(label, word=WORDS.get(label, f"w{random.randrange(100)}"))
    rules = RULES[label].split(" | ")
    rule = SHORT.get(label, rules[0]) if depth > random.randint(4, 8) else random.choice(rules)
    return Node(label, [grown(random, child, depth + 1) for child in rule.split()])


def sentence(random: Random) -> Node:
    """A root and a sentence of 2 to 25 words."""
    while True:
        tree = Node("ROOT", [grown(random, random.choice(("S", "S", "S", "S", "S", "S", "SINV", "FRAG", "NP")), 0)])
        if random.choice((2, 6, 10)) <= len(leaves(tree)) <= LONGEST:
            return tree


def a_phrase(random: Random, tree: Node, least: int = 1) -> Node | None:
    """A phrase below the root with at least so many children, if there is one."""
    items = [node for node in phrases(tree)[1:] if len(node.children) >= least]
    return random.choice(items) if items else None


def a_run(random: Random, node: Node) -> tuple[int, int]:
    """Some of the children of a phrase: first and last + 1."""
    first = random.randrange(len(node.children))
    return first, min(len(node.children), first + random.choice((1, 1, 1, 2, 3)))


def move_down(random: Random, tree: Node) -> None:
    """Children go into what stands beside them."""
    source = a_phrase(random, tree, 2)
    if source is None:
        return
    first, last = a_run(random, source)
    right = random.random() < 0.3
    beside = last if right else first - 1
    if not 0 <= beside < len(source.children) or not source.children[beside].is_phrase:
        return
    target = source.children[beside]
    while random.random() < 0.5 and target.children[0 if right else -1].is_phrase:
        target = target.children[0 if right else -1]
    run = source.children[first:last]
    source.children[first:last] = []
    where = 0 if right else len(target.children)
    target.children[where:where] = run


def move_up(random: Random, tree: Node) -> None:
    """Children at an edge go to one of the phrases above."""
    source = a_phrase(random, tree, 2)
    if source is None:
        return
    size = random.randint(1, len(source.children) - 1)
    right = random.random() < 0.7
    below, target = source, source.parent
    while target is not None and target.parent is not None:
        at_edge = below is target.children[-1 if right else 0]
        if not at_edge or random.random() < 0.5:
            break
        below, target = target, target.parent
    assert target is not None
    run = source.children[-size:] if right else source.children[:size]
    source.children = source.children[:-size] if right else source.children[size:]
    where = target.children.index(below) + right
    target.children[where:where] = run


def relabel(random: Random, tree: Node) -> None:
    """Another label for a phrase."""
    node = a_phrase(random, tree)
    if node is not None:
        node.label = random.choice(LABELS)


def remove(random: Random, tree: Node) -> None:
    """The children of a phrase take its place."""
    node = a_phrase(random, tree)
    if node is not None and node.parent is not None:
        where = node.parent.children.index(node)
        node.parent.children[where : where + 1] = node.children


def add(random: Random, tree: Node) -> None:
    """A phrase around some children of another, or all."""
    node = random.choice(phrases(tree))
    first, last = a_run(random, node)
    inner = node.children[first:last]
    node.children[first:last] = [Node(random.choice((*LABELS, *[node.label] * 6, inner[0].label)), inner)]


def chain(random: Random, tree: Node) -> None:
    """One phrase or more above a single node, often of its label."""
    for _ in range(random.randint(1, 3)):
        node = a_phrase(random, tree) if random.random() < 0.7 else None
        node = node or random.choice(list(nodes(tree))[1:])
        inner = Node(node.label, node.children, node.word)
        if not node.is_phrase or random.random() < 0.5:
            node.label = random.choice(LABELS)
        node.children, node.word = [inner], None


def retag(random: Random, tree: Node) -> None:
    """A wrong tag, perhaps of punctuation."""
    random.choice(leaves(tree)).label = random.choice(WRONG_TAGS)


def flatten(random: Random, tree: Node) -> None:
    """A phrase without any below it."""
    node = a_phrase(random, tree)
    if node is not None:
        node.children = leaves(node)


def move_mark(random: Random, tree: Node) -> None:
    """Punctuation higher or lower."""
    marks = [node for node in leaves(tree) if node.word in (",", ".", "--", "``", "''")]
    if not marks:
        return
    mark = random.choice(marks)
    old = mark.parent
    assert old is not None
    where = old.children.index(mark)
    if where > 0 and old.children[where - 1].is_phrase:
        old.children[where - 1].children.append(old.children.pop(where))
    elif 0 < where == len(old.children) - 1 and old.parent is not None:
        above = old.parent.children
        above.insert(above.index(old) + 1, old.children.pop())


def shift_mark(random: Random, tree: Node) -> None:
    """Punctuation at the end of the sentence, so that the words behind it do not line up any more."""
    marks = [node for node in leaves(tree) if node.word in WORDS and node.parent and len(node.parent.children) > 1]
    if marks:
        mark = random.choice(marks)
        assert mark.parent is not None
        mark.parent.children.remove(mark)
        tree.children.append(mark)


EDITS = (move_down, move_down, move_down, move_up, move_up, move_up, relabel, remove, remove, add, add, chain, retag)
RARE_EDITS = (flatten, move_mark, move_mark, chain)


def decorate(random: Random, tree: Node) -> None:
    """Function tags, indices, doubtful labels, and empty elements."""
    for node in phrases(tree)[1:]:
        if random.random() < 0.15:
            node.label += random.choice(FUNCTIONS)
        if random.random() < 0.08:
            trace = Node("-NONE-", word=random.choice(("*", "0", "*T*-1")))
            node.children.insert(random.randrange(len(node.children) + 1), random.choice((trace, Node("NP", [trace]))))


def outermost(random: Random, tree: Node) -> Node:
    """The tree below another root, or below none."""
    label = random.choice(OUTERMOST)
    if label is None:
        return tree.children[0] if len(tree.children) == 1 else tree
    return Node(label, tree.children)


def make_pair(random: Random) -> tuple[str, str]:
    """A gold tree and a test tree."""
    gold = sentence(random)
    test = sentence(random) if random.random() < 0.03 else copy(gold)
    for _ in range(random.choice((0, 1, 1, 2, 2, 3, 4, 6, 10))):
        place(test)
        random.choice(EDITS if random.random() < 0.85 else RARE_EDITS)(random, test)
    if random.random() < 0.3:
        gold, test = test, gold
    if random.random() < 0.04:
        place(test)
        leaf = random.choice(leaves(test))
        if leaf.parent is not None and len(leaf.parent.children) > 1:
            leaf.parent.children.remove(leaf)
    if random.random() < 0.05:
        place(test)
        shift_mark(random, test)
    if random.random() < 0.3:
        decorate(random, gold)
    if random.random() < 0.1:
        decorate(random, test)
    if random.random() < 0.3:
        gold, test = outermost(random, gold), outermost(random, test)
    return write(gold), "" if random.random() < 0.005 else write(test)


if __name__ == "__main__":
    print(*make_pair(Random(int(sys.argv[1]))), sep="\n")
