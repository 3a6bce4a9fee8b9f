#!/usr/bin/env python3
"""Makes the treebank of the studies: sentences from a small grammar, and what simulated parsers make of them.

Usage: scripts/make_study_data.py
Writes src/treescore/data/studies: gold.mrg.gz, and good.mrg.gz, middling.mrg.gz, shallow.mrg.gz, right.mrg.gz.
The same trees whenever it runs; it needs nothing but Python.

A phrase is a list [label, child, …], a word is [tag, text].
"""

from __future__ import annotations

import gzip
import io
from pathlib import Path
from random import Random

SEED = 20240
FOLDER = Path(__file__).resolve().parent.parent / "src" / "treescore" / "data" / "studies"

#: How many sentences have about so many words, full stops included.
LENGTHS = {4: 24, 6: 32, 8: 38, 10: 42, 12: 42, 14: 38, 16: 34, 18: 30, 20: 26, 23: 26, 26: 22, 29: 16, 32: 12, 36: 10}
LENGTHS |= {40: 5, 44: 3}


class Vocabulary:
    """Words that go together: everybody here can do everything to every thing, with any tool, at any place."""

    def __init__(self, **words: str) -> None:
        self.people = pairs(words["people"])
        self.names = words["names"].split()
        self.things = pairs(words["things"])
        self.stuff = words["stuff"].split()
        self.measures = pairs(words["measures"])
        self.tools = words["tools"].split()
        self.places = [tuple(item.split()) for item in words["places"].split(",")]
        self.spots = [tuple(item.split()) for item in words["spots"].split(",")]  # for things only
        self.doing = verbs(words["doing"])
        self.being = verbs(words["being"])
        self.giving = verbs(words["giving"])
        self.phrasal = [(verb, particle) for *verb, particle in map(str.split, words["phrasal"].split(","))]
        self.of_things = words["of_things"].split()
        self.of_people = words["of_people"].split()
        self.topics = words["topics"].split()


def pairs(text: str) -> list[tuple[str, str]]:
    """Singulars and plurals: "cook/cooks …"."""
    return [(one, many) for one, many in (item.split("/") for item in text.split())]


def verbs(text: str) -> list[list[str]]:
    """Verbs in five forms each, with commas between verbs."""
    return [item.split() for item in text.split(",")]


VOCABULARIES = [
    Vocabulary(  # kitchen
        people="cook/cooks waiter/waiters guest/guests baker/bakers child/children neighbour/neighbours",
        names="Maria Paul Hanna Omar Lucy",
        things="onion/onions carrot/carrots cake/cakes loaf/loaves potato/potatoes apple/apples pie/pies",
        stuff="soup butter bread rice cheese flour",
        measures="bowl/bowls plate/plates pound/pounds piece/pieces",
        tools="knife spoon fork brush towel",
        places="in kitchen,at market,near oven,in garden,behind counter",
        spots="on table,on tray,under lid",
        doing="cut cuts cut cutting cut,wash washes washed washing washed,cook cooks cooked cooking cooked,"
        "serve serves served serving served,weigh weighs weighed weighing weighed,"
        "taste tastes tasted tasting tasted",
        being="wait waits waited waiting waited,work works worked working worked,sit sits sat sitting sat,"
        "laugh laughs laughed laughing laughed",
        giving="offer offers offered offering offered,bring brings brought bringing brought,"
        "hand hands handed handing handed",
        phrasal="set sets set setting set aside,clear clears cleared clearing cleared away,"
        "warm warms warmed warming warmed up",
        of_things="fresh sweet large cold red small",
        of_people="hungry young tired friendly old",
        topics="recipe party menu",
    ),
    Vocabulary(  # business
        people="manager/managers broker/brokers banker/bankers investor/investors lawyer/lawyers clerk/clerks",
        names="Keller Jones Alvarez Tanaka Brandt",
        things="share/shares loan/loans contract/contracts factory/factories bond/bonds company/companies",
        stuff="money debt property oil copper stock",
        measures="ton/tons batch/batches pile/piles portion/portions",
        tools="letter discount guarantee budget cheque",
        places="in city,at bank,near port,in office,at exchange",
        spots="on list,in report,in portfolio",
        doing="sell sells sold selling sold,buy buys bought buying bought,review reviews reviewed reviewing reviewed,"
        "reject rejects rejected rejecting rejected,value values valued valuing valued,"
        "finance finances financed financing financed",
        being="hesitate hesitates hesitated hesitating hesitated,meet meets met meeting met,"
        "resign resigns resigned resigning resigned,negotiate negotiates negotiated negotiating negotiated",
        giving="lend lends lent lending lent,send sends sent sending sent,promise promises promised promising promised",
        phrasal="write writes wrote writing written off,take takes took taking taken over,"
        "pay pays paid paying paid back",
        of_things="cheap risky modern new large profitable",
        of_people="cautious rich experienced nervous elegant",
        topics="merger forecast tax",
    ),
    Vocabulary(  # school
        people="teacher/teachers pupil/pupils parent/parents writer/writers librarian/librarians student/students",
        names="Anna Tom Priya Jonas Ruth",
        things="book/books letter/letters essay/essays map/maps poem/poems picture/pictures",
        stuff="paper homework poetry music chalk ink",
        measures="page/pages sheet/sheets box/boxes bag/bags",
        tools="pencil ruler dictionary camera lamp",
        places="in library,at school,near window,in classroom,behind door",
        spots="on desk,in drawer,under chair",
        doing="read reads read reading read,copy copies copied copying copied,praise praises praised praising praised,"
        "correct corrects corrected correcting corrected,collect collects collected collecting collected,"
        "forget forgets forgot forgetting forgotten",
        being="sleep sleeps slept sleeping slept,whisper whispers whispered whispering whispered,"
        "study studies studied studying studied,sing sings sang singing sung",
        giving="show shows showed showing shown,give gives gave giving given,lend lends lent lending lent",
        phrasal="put puts put putting put away,throw throws threw throwing thrown out,"
        "hand hands handed handing handed in",
        of_things="long difficult famous dull short beautiful",
        of_people="clever quiet patient lazy curious",
        topics="exam holiday lesson",
    ),
    Vocabulary(  # laboratory
        people="scientist/scientists engineer/engineers doctor/doctors nurse/nurses expert/experts visitor/visitors",
        names="Novak Chen Meyer Okafor Silva",
        things="sample/samples signal/signals cell/cells engine/engines sensor/sensors crystal/crystals",
        stuff="water blood dust salt carbon glass",
        measures="tube/tubes drop/drops layer/layers bottle/bottles",
        tools="microscope laser needle computer filter",
        places="in laboratory,at hospital,near reactor,in basement,behind screen",
        spots="on shelf,under lens,in cupboard",
        doing="measure measures measured measuring measured,examine examines examined examining examined,"
        "cool cools cooled cooling cooled,test tests tested testing tested,lose loses lost losing lost,"
        "observe observes observed observing observed",
        being="argue argues argued arguing argued,fail fails failed failing failed,"
        "stay stays stayed staying stayed,arrive arrives arrived arriving arrived",
        giving="send sends sent sending sent,show shows showed showing shown,hand hands handed handing handed",
        phrasal="switch switches switched switching switched off,carry carries carried carrying carried away,"
        "heat heats heated heating heated up",
        of_things="tiny weak stable bright rare fragile",
        of_people="careful sceptical young famous polite",
        topics="experiment virus theory",
    ),
    Vocabulary(  # harbour
        people="sailor/sailors fisherman/fishermen captain/captains tourist/tourists driver/drivers woman/women",
        names="Eva Marco Ingrid Pedro Nils",
        things="boat/boats net/nets rope/ropes ticket/tickets box/boxes barrel/barrels",
        stuff="fuel timber sand ice paint cargo",
        measures="load/loads crate/crates heap/heaps truck/trucks",
        tools="hook crane winch hammer lantern",
        places="in harbour,at beach,on bridge,near lighthouse,behind wall",
        spots="on deck,on trailer,under roof",
        doing="repair repairs repaired repairing repaired,load loads loaded loading loaded,"
        "lift lifts lifted lifting lifted,find finds found finding found,steal steals stole stealing stolen,"
        "count counts counted counting counted",
        being="wait waits waited waiting waited,swim swims swam swimming swum,"
        "return returns returned returning returned,shout shouts shouted shouting shouted",
        giving="sell sells sold selling sold,throw throws threw throwing thrown,bring brings brought bringing brought",
        phrasal="tie ties tied tying tied up,leave leaves left leaving left behind,"
        "pull pulls pulled pulling pulled out",
        of_things="heavy wet old empty narrow yellow",
        of_people="brave strong careless cheerful lonely",
        topics="storm voyage weather",
    ),
]

SAYING = verbs(
    "say says said saying said,think thinks thought thinking thought,know knows knew knowing known,"
    "believe believes believed believing believed,hope hopes hoped hoping hoped,"
    "complain complains complained complaining complained"
)
WANTING = verbs(
    "want wants wanted wanting wanted,try tries tried trying tried,promise promises promised promising promised,"
    "refuse refuses refused refusing refused,hope hopes hoped hoping hoped"
)
TALKING = verbs("talk talks talked talking talked,worry worries worried worrying worried")
HOW = ["quickly", "slowly", "quietly", "carefully", "again", "often"]
OPENING = {"VBD": ["Yesterday", "Suddenly", "Later", "Finally"], "present": ["Sometimes", "Usually", "Today", "Now"]}
MODALS = {"VBD": ["would", "could", "might", "should"], "present": ["will", "must", "can", "should"]}
DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"]
NUMBERS = ["two", "three", "four", "five", "twelve"]
CONJUNCTIONS = ["because", "when", "before", "after", "while", "although", "if"]
FORMS = {"VB": 0, "VBP": 0, "VBZ": 1, "VBD": 2, "VBG": 3, "VBN": 4}
TO_BE = {"VB": "be", "VBP": "are", "VBZ": "is", "VBD": "was", "VBG": "being", "VBN": "been"}


class Writer:
    """Writes a sentence of about the length that is asked for, with the words of one vocabulary and in one tense."""

    def __init__(self, random: Random, words: Vocabulary) -> None:
        self.random, self.words = random, words
        self.tense = "VBD" if random.random() < 0.65 else "present"

    def one(self, items):
        return items[int(self.random.random() * len(items))]

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def weighted(self, kinds: dict[str, float]) -> str:
        at = self.random.random() * sum(kinds.values())
        for kind, weight in kinds.items():
            at -= weight
            if at < 0:
                return kind
        return kind

    # Noun phrases. `room` is about how many words there may be; what is plural comes back beside the phrase.

    def plain(self, nouns, adjectives, room: int):
        """A determiner, perhaps adjectives, and a noun."""
        many = self.chance(0.4)
        noun = self.one(nouns)[many]
        inside = []
        if room > 2 and self.chance(0.4):
            adjective = ["JJ", self.one(adjectives)]
            inside = [["ADJP", ["RB", "very"], adjective]] if room > 3 and self.chance(0.25) else [adjective]
        elif room > 4 and many and self.chance(0.2):
            return ["NP", ["QP", ["JJR", "more"], ["IN", "than"], ["CD", self.one(NUMBERS)]], ["NNS", noun]], True
        if many and self.chance(0.2):
            inside.insert(0, ["CD", self.one(NUMBERS)])
        elif not many or self.chance(0.6):
            which = self.weighted({"the": 5, "a": 3 * (not many), "this": 0.5 * (not many), "some": 1.0 * many})
            inside.insert(0, ["DT", which])
        return ["NP", *inside, ["NNS" if many else "NN", noun]], many

    def person(self, room: int, subject: bool = True):
        kinds = {"plain": 5, "name": 2, "pronoun": 2.5}
        if room > 4:
            kinds |= {"place": 2, "both": 2, "possessive": 0.6}
        if room > 6:
            kinds |= {"relative": 2.5, "apposition": 0.8}
        kind = self.weighted(kinds)
        if kind == "name":
            return ["NP", ["NNP", self.one(self.words.names)]], False
        if kind == "pronoun":
            if not subject:
                return ["NP", ["PRP", self.one(["him", "her", "us", "them"])]], False
            word, many = self.one([("he", False), ("she", False), ("they", True), ("we", True), ("nobody", False)])
            return ["NP", ["NN" if word == "nobody" else "PRP", word]], many
        noun, many = self.plain(self.words.people, self.words.of_people, min(room, 4))
        if kind == "place":
            return ["NP", noun, self.place(room - 3)], many
        if kind == "both":
            other = self.plain(self.words.people, self.words.of_people, room - 4)[0]
            return ["NP", noun, ["CC", self.weighted({"and": 4, "or": 1})], other], True
        if kind == "possessive" and not many:
            owner = ["NP", ["NNP", self.one(self.words.names)], ["POS", "'s"]]
            other = self.one(self.words.people)
            return ["NP", owner, ["NN", other[0]]], False
        if kind == "relative":
            return ["NP", noun, self.relative(room - 4, many)], many
        if kind == "apposition" and not many:
            return ["NP", ["NP", ["NNP", self.one(self.words.names)]], [",", ","], noun, [",", ","]], False
        return noun, many

    def thing(self, room: int):
        kinds = {"plain": 5, "stuff": 1.5, "pronoun": 0.7}
        if room > 4:
            kinds |= {"measure": 2, "place": 2, "list": 1.5, "about": 1}
        if room > 7:
            kinds |= {"relative": 2, "participle": 1.2}
        kind = self.weighted(kinds)
        if kind == "stuff":
            stuff = ["NN", self.one(self.words.stuff)]
            return ["NP", ["DT", "the"], stuff] if room > 1 and self.chance(0.5) else ["NP", stuff]
        if kind == "pronoun":
            return ["NP", ["PRP", self.one(["it", "them"])]]
        if kind == "measure":
            part = self.plain(self.words.measures, self.words.of_things, 2)[0]
            return ["NP", part, ["PP", ["IN", "of"], ["NP", ["NN", self.one(self.words.stuff)]]]]
        noun = self.plain(self.words.things, self.words.of_things, min(room, 4))[0]
        if kind == "place":
            return ["NP", noun, self.place(room - 3, 0.6)]
        if kind == "list":
            others = [self.plain(self.words.things, self.words.of_things, 3)[0]]
            if room > 7 and self.chance(0.4):
                others = [[",", ","], self.plain(self.words.things, self.words.of_things, 2)[0], *others]
            return ["NP", noun, *others[:-1], ["CC", "and"], others[-1]]
        if kind == "about":
            return ["NP", noun, ["PP", ["IN", "for"], self.person(min(room - 4, 5), subject=False)[0]]]
        if kind == "relative":
            subject, many = self.person(min(room - 5, 4))
            clause = ["S", subject, ["VP", self.verb(self.one(self.words.doing), self.finite(many))]]
            if self.chance(0.4):
                clause[-1].append(self.place(room - 7))
            return ["NP", noun, ["SBAR", ["WHNP", ["WDT", self.one(["that", "which"])]], clause]]
        if kind == "participle":
            by = ["PP", ["IN", "by"], self.person(room - 5, subject=False)[0]]
            return ["NP", noun, ["VP", self.verb(self.one(self.words.doing), "VBN"), by]]
        return noun

    def place(self, room: int, small: float = 0.0):
        preposition, noun = self.one(self.words.spots if small and self.chance(small) else self.words.places)
        where = ["NP", ["DT", "the"], ["NN", noun]]
        if room > 5 and self.chance(0.3):
            other = self.one(self.words.places)
            while other[1] == noun:
                other = self.one(self.words.places)
            where = ["NP", where, ["PP", ["IN", "near"], ["NP", ["DT", "the"], ["NN", other[1]]]]]
        return ["PP", ["IN", preposition], where]

    def relative(self, room: int, many: bool):
        return ["SBAR", ["WHNP", ["WP", "who"]], ["S", self.verb_phrase(room, many, self.finite(many))]]

    # Verb phrases.

    def verb(self, forms, tag: str):
        return [tag, forms[FORMS[tag]]]

    def finite(self, many: bool) -> str:
        """The tag of a verb that agrees with a subject, in the tense of the sentence."""
        return "VBD" if self.tense == "VBD" else "VBP" if many else "VBZ"

    def adjuncts(self, phrase, room: int, kind: str, tag: str):
        """What may stand at the end of a verb phrase, as far as there is room."""
        if kind == "doing" and room > 4 and self.chance(0.45):
            tool = ["NP", ["DT", "a"], ["NN", self.one(self.words.tools)]]
            if room > 5 and self.chance(0.3):
                tool.insert(2, ["JJ", self.one(["new", "good", "simple"])])
            phrase.append(["PP", ["IN", "with"], tool])
            room -= len(words_of(phrase[-1]))
        if room > 3 and self.chance(0.45):
            phrase.append(self.place(room - 1, 0.3 if kind == "doing" else 0.0))
            room -= len(words_of(phrase[-1]))
        if room > 1 and self.chance(0.35):
            when = [["PP", ["IN", "on"], ["NP", ["NNP", self.one(DAYS)]]]]
            if tag == "VBD":
                when.append(["NP", ["JJ", "last"], ["NN", self.one(["week", "year", "night"])]])
                when.append(["ADVP", ["NP", ["CD", self.one(NUMBERS)], ["NNS", "days"]], ["RB", "ago"]])
            elif tag in ("VB", "VBZ", "VBP"):
                when.append(["NP", ["DT", "every"], ["NN", self.one(["day", "week", "morning"])]])
            if kind in ("doing", "being", "giving"):
                when.append(["ADVP", ["RB", self.one(HOW)]])
            phrase.append(self.one(when))
            room -= len(words_of(phrase[-1]))
        if room > 5 and self.chance(0.6):
            phrase.append(self.subordinate(room))
        return phrase

    def subordinate(self, room: int):
        return ["SBAR", ["IN", self.one(CONJUNCTIONS)], self.clause(room - 1)]

    def verb_phrase(self, room: int, many: bool, tag: str):
        """A verb phrase whose first verb has this tag; "do" is a VB that needs no other one before it than do."""
        if tag in ("VBD", "VBZ", "VBP") and room > 2 and self.chance(0.25):
            kind = self.weighted({"will": 2, "has": 2, "is": 2, "not": 1.5})
            if kind == "will":
                return ["VP", ["MD", self.one(MODALS[self.tense])], self.verb_phrase(room - 1, many, "VB")]
            if kind == "has":
                word = "had" if tag == "VBD" else "have" if many else "has"
                return ["VP", [tag, word], self.verb_phrase(room - 1, many, "VBN")]
            if kind == "is":
                return ["VP", self.to_be(tag, many), self.verb_phrase(room - 1, many, "VBG")]
            word = "did" if tag == "VBD" else "do" if many else "does"
            return ["VP", [tag, word], ["RB", "not"], self.verb_phrase(room - 2, many, "do")]
        if room > 8 and self.chance(0.2):
            half = (room - 1) // 2
            first, second = (self.core(half, many, tag) for _ in range(2))
            return ["VP", first, ["CC", self.weighted({"and": 4, "but": 1, "or": 1})], second]
        return self.core(room, many, tag)

    def to_be(self, tag: str, many: bool):
        return [tag, "were" if tag == "VBD" and many else TO_BE[tag]]

    def core(self, room: int, many: bool, tag: str):
        """A verb and what belongs to it."""
        kinds = {"being": 3}
        if room > 2:
            kinds |= {"doing": 7, "phrasal": 1.2}
        if room > 1 and tag not in ("VBG", "VBN", "do"):
            kinds |= {"adjective": 1.5}
        if room > 3:
            kinds |= {"talking": 1}
        if room > 4:
            kinds |= {"giving": 1.5, "passive": 1.2 * (tag not in ("VBG", "do"))}
            kinds |= {"wanting": 2.0 * (tag in ("VBD", "VBZ", "VBP"))}
        if room > 5:
            kinds |= {"saying": 2.5 * (tag != "VBG")}
        tag = "VB" if tag == "do" else tag
        kind = self.weighted(kinds)
        if kind == "being":
            phrase = ["VP", self.verb(self.one(self.words.being), tag)]
        elif kind == "doing":
            phrase = ["VP", self.verb(self.one(self.words.doing), tag), self.thing(room - 1)]
        elif kind == "phrasal":
            verb, particle = self.one(self.words.phrasal)
            phrase = ["VP", self.verb(verb, tag), ["PRT", ["RP", particle]]]
            phrase.append(self.plain(self.words.things, self.words.of_things, min(room - 2, 4))[0])
        elif kind == "adjective":
            inside = [["JJ", self.one(self.words.of_people)]]
            if room > 3 and self.chance(0.4):
                inside.insert(0, ["RB", self.one(["very", "too", "quite"])])
            phrase = ["VP", self.to_be(tag, many), ["ADJP", *inside]]
        elif kind == "talking":
            topic = ["PP", ["IN", "about"], ["NP", ["DT", "the"], ["NN", self.one(self.words.topics)]]]
            phrase = ["VP", self.verb(self.one(TALKING), tag), topic]
        elif kind == "wanting":
            purpose = ["S", ["VP", ["TO", "to"], self.verb_phrase(room - 2, many, "VB")]]
            return ["VP", self.verb(self.one(WANTING), tag), purpose]
        elif kind == "giving":
            to, what = self.person(min(room - 3, 5), subject=False)[0], self.thing(min(room - 3, 5))
            shifted = [to, what] if len(words_of(to)) < 4 and self.chance(0.4) else [what, ["PP", ["TO", "to"], to]]
            phrase = ["VP", self.verb(self.one(self.words.giving), tag), *shifted]
        elif kind == "passive":
            # Somebody is seen at it: this grammar has no passive for things, which can be no subjects here.
            seen = self.one(verbs("see sees saw seeing seen,invite invites invited inviting invited"))
            by = ["PP", ["IN", "by"], self.person(min(room - 3, 6), subject=False)[0]]
            return self.adjuncts(["VP", self.to_be(tag, many), ["VP", self.verb(seen, "VBN"), by]], room - 5, kind, tag)
        else:
            clause = self.clause(room - 2)
            said = ["SBAR", ["IN", "that"], clause] if self.chance(0.7) else ["SBAR", clause]
            return ["VP", self.verb(self.one(SAYING), tag), said]
        return self.adjuncts(phrase, room - len(words_of(phrase)), kind, tag)

    # Sentences.

    def clause(self, room: int):
        subject, many = self.person(min(max(1, room // 2), 12))
        rest = room - len(words_of(subject))
        return ["S", subject, self.verb_phrase(max(1, rest), many, self.finite(many))]

    def sentence(self, room: int):
        """A whole sentence with its full stop."""
        kinds = {"plain": 6, "question": 0.8, "who": 0.5, "where": 0.5, "order": 0.7}
        if room > 6:
            kinds |= {"adverb": 1, "subordinate": 1.2, "place": 1}
        if room > 12:
            kinds |= {"two": 2.5 + room / 12, "quoted": 0.8}
        if room < 7:
            kinds |= {"fragment": 0.6, "answer": 0.5}
        kind = self.weighted(kinds)
        if kind == "question":
            subject, many = self.person(min(room // 3, 6))
            helper = ["VBD", "Did"] if self.tense == "VBD" else ["VBP", "Do"] if many else ["VBZ", "Does"]
            return ["SQ", helper, subject, self.verb_phrase(room - 3, many, "do"), [".", "?"]]
        if kind == "who":
            return [
                "SBARQ",
                ["WHNP", ["WP", "Who"]],
                ["SQ", self.core(room - 2, False, self.finite(False))],
                [".", "?"],
            ]
        if kind == "where":
            self.tense = "VBD"
            subject, many = self.person(min(room // 3, 6))
            asked = ["WHADVP", ["WRB", self.one(["Where", "When", "Why"])]]
            return ["SBARQ", asked, ["SQ", ["VBD", "did"], subject, self.core(room - 4, many, "do")], [".", "?"]]
        if kind == "order":
            self.tense = "present"
            return ["S", self.core(room - 1, True, "do"), [".", "."]]
        if kind == "fragment":
            return ["FRAG", self.thing(room - 1), [".", "."]]
        if kind == "answer":
            yes = ["INTJ", ["UH", self.one(["Yes", "No", "Well"])]]
            return ["S", yes, [",", ","], *self.clause(room - 3)[1:], [".", "."]]
        if kind == "adverb":
            opening = ["ADVP", ["RB", self.one(OPENING[self.tense])]]
            return ["S", opening, [",", ","], *self.clause(room - 3)[1:], [".", "."]]
        if kind == "place":
            opening = self.place(room // 3)
            return ["S", opening, [",", ","], *self.clause(room - len(words_of(opening)) - 2)[1:], [".", "."]]
        if kind == "subordinate":
            opening = self.subordinate(room // 2)
            return ["S", opening, [",", ","], *self.clause(room - len(words_of(opening)) - 2)[1:], [".", "."]]
        if kind == "two":
            first = self.clause((room - 3) // 2)
            link = ["CC", self.one(["and", "but"])]
            return ["S", first, [",", ","], link, self.clause(room - len(words_of(first)) - 3), [".", "."]]
        if kind == "quoted":
            said = self.clause(room - 6)
            subject, many = self.person(3)
            return ["S", said, [",", ","], subject, ["VP", self.verb(self.one(SAYING), self.finite(many))], [".", "."]]
        return ["S", *self.clause(room - 1)[1:], [".", "."]]


def is_word(node) -> bool:
    return isinstance(node[1], str)


def words_of(node) -> list:
    """The words of a phrase with their tags."""
    return [node] if is_word(node) else [word for child in node[1:] for word in words_of(child)]


def phrases(node, above=()):
    """All phrases of a tree, each with its parents from the root down."""
    if not is_word(node):
        yield node, above
        for child in node[1:]:
            yield from phrases(child, (*above, node))


def copied(node):
    return [node[0], *(child if isinstance(child, str) else copied(child) for child in node[1:])]


def written(node) -> str:
    inside = node[1] if is_word(node) else " ".join(map(written, node[1:]))
    return f"({node[0]} {inside})"


def finished(tree):
    """A sentence as it is written: a and an, no comma twice, a capital letter at its beginning."""
    for phrase, _ in phrases(tree):
        for place in range(len(phrase) - 1, 0, -1):
            child = phrase[place]
            following = phrase[place + 1] if place + 1 < len(phrase) else None
            if child[0] == "," and following is not None and following[0] in (",", "."):
                del phrase[place]
    words = words_of(tree)
    for place in range(len(words) - 2, -1, -1):
        word, after = words[place], words[place + 1]
        if word[1] == "a" and after[1][0] in "aeio":
            word[1] = "an"
        if word[0] == "," and after[0] in (",", "."):
            word[1] = ""
    for phrase, _ in phrases(tree):
        phrase[1:] = [child for child in phrase[1:] if not (is_word(child) and not child[1])]
    words[0][1] = words[0][1][0].upper() + words[0][1][1:]
    return tree


def gold(random: Random) -> list:
    """The sentences, in an order of their own."""
    made, seen = [], set()
    for length, number in LENGTHS.items():
        for _ in range(number):
            while True:
                words = VOCABULARIES[len(made) % len(VOCABULARIES)]
                tree = finished(Writer(random, words).sentence(length))
                size = len(words_of(tree))
                text = " ".join(word for _, word in words_of(tree))
                if 3 <= size <= 45 and abs(size - length) <= 1 and text not in seen and not is_clumsy(tree):
                    break
            seen.add(text)
            made.append(tree)
    for place in range(len(made) - 1, 0, -1):  # Fisher and Yates
        other = int(random.random() * (place + 1))
        made[place], made[other] = made[other], made[place]
    return made


def is_clumsy(tree) -> bool:
    """Does a word occur too often, or a clause stand in a clause in a clause in a clause?"""
    counted = [word.lower() for tag, word in words_of(tree) if tag[0] in "NVJC"]
    depth = max(sum(parent[0] == "SBAR" for parent in above) for _, above in phrases(tree))
    return depth > 3 or any(counted.count(word) > (3 if word in ("and", "was", "had") else 1) for word in counted)


# Simulated parsers. Each change turns a tree into one that is wrong in a way parsers are; it says whether it could.

MOVED = ("PP", "SBAR", "ADVP", "NP", "S", "VP")
TAKEN_FOR = {
    "PP": ("ADVP", "SBAR"),
    "ADVP": ("ADJP", "PRT", "NP"),
    "ADJP": ("ADVP", "NP", "VP"),
    "SBAR": ("S", "PP"),
    "S": ("SBAR", "VP"),
    "VP": ("ADJP", "S"),
    "NP": ("ADJP", "S", "QP"),
    "PRT": ("ADVP",),
    "WHNP": ("NP",),
    "WHADVP": ("ADVP",),
    "QP": ("NP",),
    "SQ": ("S",),
    "SBARQ": ("SBAR", "S"),
    "FRAG": ("NP", "S"),
    "INTJ": ("ADVP",),
}
TAGGED = {"VBD": "VBN", "VBN": "VBD", "NN": "JJ", "JJ": "NN", "IN": "RB", "VBP": "VB", "RP": "IN", "NNS": "VBZ"}


class Parser:
    """Makes mistakes of some kinds, at some rate, more of them in long sentences."""

    def __init__(self, seed: int, rate: float, **weights: float) -> None:
        self.random, self.rate, self.weights = Random(seed), rate, weights

    def one(self, items):
        return items[int(self.random.random() * len(items))]

    def parse(self, tree):
        made = copied(tree)
        size = len(words_of(made))
        # Some sentences are harder than others, and those with twice the words are more than twice as hard.
        hardness = self.random.expovariate(1.0) * 0.7 + 0.3
        left = self.rate * hardness * (size / 15) ** 1.7
        while left > 0 and self.random.random() < left:
            left -= 1
            for _ in range(8):  # a kind of mistake that does not fit is no mistake
                if getattr(self, self.kind())(made):
                    break
        return made

    def kind(self) -> str:
        at = self.random.random() * sum(self.weights.values())
        for kind, weight in self.weights.items():
            at -= weight
            if at < 0:
                return kind
        return kind

    def higher(self, tree) -> bool:
        """The last part of a phrase becomes a sister of that phrase."""
        found = [
            (node, above)
            for node, above in phrases(tree)
            if len(above) > 1 and above[-1][-1] is node and node[0] in MOVED and len(above[-1]) > 2
        ]
        if not found:
            return False
        node, above = self.one(found)
        parent, grandparent = above[-1], above[-2]
        place = position(grandparent, parent)
        del parent[-1]
        grandparent.insert(place + 1, node)
        if len(parent) == 2 and not is_word(parent[1]) and parent[1][0] == parent[0]:
            grandparent[place] = parent[1]
        return True

    def lower(self, tree) -> bool:
        """A phrase goes into the one before it, or further down at its end."""
        found = [
            (node, above[-1])
            for node, above in phrases(tree)
            if above and node[0] in MOVED and self.before(node, above[-1]) is not None
        ]
        if not found:
            return False
        node, parent = self.one(found)
        target = self.before(node, parent)
        holder = parent
        while self.random.random() < 0.5 and not is_word(target[-1]) and target[-1][0] in ("NP", "VP", "S", "PP"):
            holder, target = target, target[-1]
        parent.remove(node) if parent.count(node) == 1 else parent.pop(position(parent, node))
        if target[0] == "NP" or target[0] == node[0]:
            holder[position(holder, target)] = [target[0], target, node]
        else:
            target.append(node)
        if parent is not tree and len(parent) == 2 and not is_word(parent[1]) and parent[1][0] == parent[0]:
            parent[1:] = parent[1][1:]
        return True

    @staticmethod
    def before(node, parent):
        """The phrase on the left of a node, if there is one that could take it in."""
        place = position(parent, node)
        if place < 2 or is_word(parent[place - 1]) or parent[place - 1][0] not in ("NP", "VP", "S", "PP"):
            return None
        return parent[place - 1]

    def scope(self, tree) -> bool:
        """What is co-ordinated with a phrase becomes so with the last part of that phrase."""
        found = []
        for node, _ in phrases(tree):
            for place in range(2, len(node) - 1):
                if node[place][0] == "CC" and not is_word(node[place - 1]) and not is_word(node[place + 1]):
                    last, holder = node[place - 1], node
                    while not is_word(last[-1]):
                        holder, last = last, last[-1]
                        if last[0] == node[place + 1][0]:
                            found.append((node, place, holder, last))
        if not found:
            return False
        node, place, holder, last = self.one(found)
        holder[-1] = [last[0], last, node[place], node[place + 1]]
        del node[place : place + 2]
        if len(node) == 2 and node[1][0] == node[0]:
            node[1:] = node[1][1:]
        return True

    def label(self, tree) -> bool:
        found = [node for node, above in phrases(tree) if node[0] in TAKEN_FOR and above]
        if not found:
            return False
        node = self.one(found)
        node[0] = self.one(TAKEN_FOR[node[0]])
        return True

    def unary_lost(self, tree) -> bool:
        found = [(node, above[-1]) for node, above in phrases(tree) if above and len(node) == 2]
        if not found:
            return False
        node, parent = self.one(found)
        parent[position(parent, node)] = node[1]
        return True

    def unary_added(self, tree) -> bool:
        found = []
        for node, _ in phrases(tree):
            for place, child in enumerate(node[1:], 1):
                if child[0] in ("NN", "NNS", "RB", "JJ", "VBD", "VBG", "VP") and len(node) > 2:
                    found.append((node, place))
        if not found:
            return False
        node, place = self.one(found)
        label = {"R": "ADVP", "J": "ADJP", "N": "NP"}.get(node[place][0][0], "S" if node[place][0] == "VP" else "VP")
        node[place] = [label, node[place]]
        return True

    def lost(self, tree) -> bool:
        """A phrase is not found: its parts belong to the phrase above it."""
        found = [(node, above[-1]) for node, above in phrases(tree) if above and len(node) > 2]
        if not found:
            return False
        node, parent = self.one(found)
        place = position(parent, node)
        parent[place : place + 1] = node[1:]
        return True

    def extra(self, tree) -> bool:
        """Two neighbours become a phrase."""
        found = [node for node, _ in phrases(tree) if len(node) > 3]
        if not found:
            return False
        node = self.one(found)
        place = 1 + int(self.random.random() * (len(node) - 2))
        if node[place][0] in (",", ".") or node[place + 1][0] in (",", "."):
            return False
        first = node[place][0]
        label = "VP" if first[0] == "V" or first == "MD" else "PP" if first == "IN" else "NP"
        node[place : place + 2] = [[label, *node[place : place + 2]]]
        return True

    def tag(self, tree) -> bool:
        found = [word for word in words_of(tree) if word[0] in TAGGED]
        if not found:
            return False
        word = self.one(found)
        word[0] = TAGGED[word[0]]
        return True


def position(parent, child) -> int:
    """The place of a child, which need not be the only one that looks so."""
    return next(place for place, other in enumerate(parent[1:], 1) if other is child)


class RightBranching:
    """Finds noun phrases without what follows them; from each word on, everything else is one phrase."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def parse(self, tree):
        *words, stop = words_of(copied(tree))
        chunks: list = []
        for word in words:
            inside = word[0] in ("DT", "JJ", "CD", "NN", "NNS", "NNP", "PRP")
            follows = chunks and chunks[-1][0] == "NP" and word[0] not in ("DT", "PRP", "NNP")
            if inside and follows and self.random.random() < 0.95:
                chunks[-1].append(word)
            elif inside and self.random.random() < 0.95:
                chunks.append(["NP", word])
            else:
                chunks.append(word)
        made: list = []
        for chunk in reversed(chunks):
            tag = chunk[0]
            if not made:
                made = [chunk]
            elif tag[0] == "V" or tag in ("MD", "TO"):
                made = [["VP", chunk, *made]]
            elif tag in ("IN", "RB") and made[0][0] in ("NP", "PP", "VP"):
                made = [["PP" if tag == "IN" else "VP", chunk, *made]]
            elif tag in ("IN", "WP", "WDT", "WRB"):
                made = [["SBAR", chunk, *made]]
            elif made[0][0] == "VP":
                made = [["S", chunk, *made]]
            elif made[0][0] in ("PP", "SBAR") and tag == "NP":
                made = [["NP", chunk, *made]]
            else:
                made = [chunk, *made]
        if len(made) == 1 and made[0][0] == "S":
            made = made[0][1:]
        return ["S", *made, stop]


def systems() -> dict:
    """The simulated parsers by name."""
    usual = {"higher": 2.0, "lower": 2.5, "scope": 1.0, "label": 0.8, "unary_lost": 0.6, "unary_added": 0.4}
    wide = {"higher": 3.0, "lower": 3.5, "scope": 1.5, "label": 0.4, "lost": 0.3, "tag": 0.5}
    narrow = {"label": 2.0, "unary_lost": 2.0, "unary_added": 1.5, "lost": 2.5, "extra": 1.2, "lower": 0.3, "tag": 1.5}
    return {
        "good": Parser(1, 0.9, **usual, lost=0.4, extra=0.2, tag=0.6),
        "middling": Parser(2, 2.3, **wide),
        "shallow": Parser(3, 2.7, **narrow),
        "right": RightBranching(4),
    }


def texts() -> dict[str, str]:
    """What each file holds."""
    trees = gold(Random(SEED))
    found = {"gold": trees} | {name: [maker.parse(tree) for tree in trees] for name, maker in systems().items()}
    return {name: "".join(f"(TOP {written(tree)})\n" for tree in made) for name, made in found.items()}


def packed(text: str) -> bytes:
    """The text as a gzip file that has no date and no name in it."""
    out = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=out, mtime=0) as file:
        file.write(text.encode())
    return out.getvalue()


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, text in texts().items():
        (FOLDER / f"{name}.mrg.gz").write_bytes(packed(text))
