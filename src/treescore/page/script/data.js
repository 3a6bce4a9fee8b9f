// The data of the page: inert elements of base64 text, inflated on demand.

/** Longer words are shortened in sentences about nodes. */
const LONG_WORD = 32;
const MISSING_SCORE = -0x80000000;

/** The bytes of a data element. */
function bytesOf(name) {
  const text = atob(document.getElementById(`data-${name}`).textContent);
  const bytes = new Uint8Array(text.length);
  for (let place = 0; place < text.length; place++) bytes[place] = text.charCodeAt(place);
  return bytes;
}

/** The inflated bytes of a data element. */
async function inflate(name) {
  const stream = new Blob([bytesOf(name)]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Text with escapes for control and invisible characters. */
const shownText = (text) => text
  .replace(/[\x00-\x1f\x7f-\x9f]/gu, (character) => ({ '\n': '\\n', '\r': '\\r', '\t': '\\t' }[character]
    ?? `\\x${character.codePointAt(0).toString(16).padStart(2, '0')}`))
  .replace(/[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu, (character) => `\\u${character.codePointAt(0).toString(16).padStart(4, '0')}`);

const asText = (bytes) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
const asIntegers = (bytes) => new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);

/** Reads integers in groups of seven bits, the lowest first. */
class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.place = 0;
  }

  next() {
    let value = 0, factor = 1, byte;
    do {
      byte = this.bytes[this.place++];
      value += (byte & 127) * factor;
      factor *= 128;
    } while (byte >= 128);
    return value;
  }

  signed() {
    const value = this.next();
    return value % 2 ? -(value + 1) / 2 : value / 2;
  }

  skip(count) {
    for (let left = count; left > 0; this.place++) left -= this.bytes[this.place] < 128;
  }

  some(count) {
    const values = new Array(count);
    for (let place = 0; place < count; place++) values[place] = this.next();
    return values;
  }
}

/** Lists of the labels or error classes of each sentence, by number. */
class Sets {
  constructor(reader, count) {
    this.lists = new Array(count);
    for (let index = 0; index < count; index++) {
      const size = reader.next();
      this.lists[index] = size ? reader.some(size) : null;
    }
  }

  /** A test for sentences with any of these numbers. */
  having(wanted) {
    return (index) => this.lists[index] !== null && this.lists[index].some((value) => wanted.has(value));
  }
}

/** Seconds with two decimals. */
const secondsText = (value) => value.toFixed(2);

/** A word or label for running text, shortened in the middle. */
function shortWord(word) {
  if (word.length <= LONG_WORD) return word;
  const characters = Array.from(word);
  return characters.length <= LONG_WORD ? word : `${characters.slice(0, 20).join('')}…${characters.slice(-8).join('')}`;
}

/** Words in one text, shortened in the middle. */
function phrased(words, most = 8) {
  const kept = words.length <= most ? words : [...words.slice(0, most - 3), '…', ...words.slice(-2)];
  return kept.map(shortWord).join(' ');
}

/** The start and end of a node as text, after a space; empty without times. */
function timesOf(tree, node) {
  const span = tree.span(node);
  return span ? ` ${span.map(secondsText).join('–')} s` : '';
}

/** The positions of some leaves: the distance from the previous leaf, and the length, in millionths. */
function intervals(reader, length) {
  let at = 0;
  return Array.from({ length }, () => {
    const start = at + reader.signed() / 1e6;
    at = start + reader.next() / 1e6;
    return [start, at];
  });
}

/** One tree: nodes in order of their start, and leaves in the order of the sentence. */
class Tree {
  constructor(symbols, items, ups, order, words, times) {
    this.labels = [];
    this.parents = [];
    this.isPreterminal = [];
    this.firsts = [];
    this.lasts = [];
    this.words = words;
    this.times = times;  // [start, end] of each leaf in seconds, or null
    this.leafNodes = new Array(words.length).fill(-1);
    this.runs_ = order ? [] : null;
    const open = [];
    let leaves = 0;
    items.forEach((item, place) => {
      const [label, kind] = symbols[item];
      const parent = open.length ? open[open.length - 1] : -1;
      let leaf = -1;
      if (kind !== 'phrase') leaf = order ? order[leaves] : leaves;
      if (kind !== 'word') {
        const number = this.labels.length;
        this.labels.push(label || '∅');
        this.parents.push(parent);
        this.isPreterminal.push(kind === 'tag');
        this.firsts.push(Infinity);
        this.lasts.push(leaves);
        if (kind === 'phrase') open.push(number);
        else this.leafNodes[leaf] = number;
      }
      if (leaf >= 0) {
        leaves++;
        if (kind === 'word') this.leafNodes[leaf] = parent;
        else this._cover(this.labels.length - 1, leaf);
        for (const node of open) this._cover(node, leaf);
      }
      open.length -= ups[place];
    });
    // A phrase without words is at the position of the next word.
    this.firsts = this.firsts.map((first, node) => (first === Infinity ? this.lasts[node] : first));
    this.phrases = this.labels.map((_, node) => node).filter((node) => !this.isPreterminal[node]);
    this.children = this.labels.map(() => []);
    this.roots = [];
    this.parents.forEach((parent, node) => (parent < 0 ? this.roots : this.children[parent]).push(node));
  }

  _cover(node, leaf) {
    const isFirst = this.firsts[node] === Infinity;
    this.firsts[node] = Math.min(this.firsts[node], leaf);
    this.lasts[node] = isFirst ? leaf + 1 : Math.max(this.lasts[node], leaf + 1);
  }

  get size() {
    return this.labels.length;
  }

  /** The words of a node as ranges, [[first, last + 1]]; several for a discontinuous node. */
  runs(node) {
    if (this.runs_ === null) return [[this.firsts[node], this.lasts[node]]];
    if (!this.runs_.length) {
      this.runs_ = this.labels.map(() => []);
      this.leafNodes.forEach((below, leaf) => {
        for (let node = below; node >= 0; node = this.parents[node]) {
          const runs = this.runs_[node];
          if (runs.at(-1)?.[1] === leaf) runs.at(-1)[1] = leaf + 1;
          else runs.push([leaf, leaf + 1]);
        }
      });
      this.runs_.forEach((runs, node) => runs.length || runs.push([this.firsts[node], this.lasts[node]]));
    }
    return this.runs_[node];
  }

  /** The words over which a node is drawn: all, or the longest range of a discontinuous node. */
  standsOver(node) {
    return this.runs(node).reduce((best, run) => (run[1] - run[0] > best[1] - best[0] ? run : best));
  }

  /** The start and end of a node in seconds, or null without times. */
  span(node) {
    if (!this.times || this.lasts[node] <= this.firsts[node]) return null;
    const times = this.times.slice(this.firsts[node], this.lasts[node]);
    return [Math.min(...times.map(([start]) => start)), Math.max(...times.map(([, end]) => end))];
  }

  /** Whether the tree is discontinuous. */
  get hasGaps() {
    return this.runs_ !== null && this.labels.some((_, node) => this.runs(node).length > 1);
  }

  /** The words of a node, shortened in the middle. */
  phrase(node, most = 8) {
    const words = this.runs(node).flatMap(([first, last], place) => [...(place ? ['…'] : []), ...this.words.slice(first, last)]);
    return phrased(words, most);
  }
}

/** All data of the page. Sentences are numbered from 0 here, and shown from 1. */
class Data {
  static async load() {
    const data = new Data();
    data.main = JSON.parse(asText(await inflate('main')));
    const { sentences, systems, metrics } = data.main;
    data.count = sentences;
    data.short = withoutCommonStart(systems.map(({ name }) => name));
    const [lengths, scores, sets, text, ids, kept] = await Promise.all([
      inflate('lengths'),
      inflate('scores'),
      inflate('sets'),
      Promise.all(Array.from({ length: data.main.textBlocks }, (_, block) => inflate(`text-${block}`))),
      data.main.hasIds ? inflate('ids') : null,
      data.main.treesLeftOut ? inflate('kept') : null,
    ]);
    data._lengths = asIntegers(lengths);
    const all = asIntegers(scores);
    data.scores = systems.map((_, system) => metrics.map((_, metric) => {
      const begin = (system * metrics.length + metric) * sentences;
      return all.subarray(begin, begin + sentences);
    }));
    data.words = text.flatMap((bytes) => asText(bytes).split('\n'));
    data.ids = ids && asText(ids).split('\n');
    data._readSets(new Reader(sets));
    data._placeTrees(kept);
    data._blocks = new Map();
    return data;
  }

  _readSets(reader) {
    const { sentences, systems, metrics } = this.main;
    const read = () => new Sets(reader, sentences);
    this.missing = [];
    this.extra = [];
    this.confused = [];
    this.classes = [];
    for (let system = 0; system < systems.length; system++) {
      for (const kind of [this.missing, this.extra, this.confused]) kind.push([]);
      metrics.forEach((metric, number) => {
        if (!metric.hasTrees) return;
        this.missing[system][number] = read();
        this.extra[system][number] = read();
        this.confused[system][number] = read();
      });
      this.classes.push(this.main.classes ? read() : null);
    }
    this.problemCodes = new Map();
    for (const [code, numbers] of this.main.problemSentences) {
      for (const number of numbers) this.problemCodes.set(number - 1, [...(this.problemCodes.get(number - 1) ?? []), code]);
    }
    this.problems = new Map();
    this.main.problems.forEach((problem) => {
      if (problem.sentence === null) return;
      const index = problem.sentence - 1;
      if (!this.problems.has(index)) this.problems.set(index, []);
      this.problems.get(index).push(problem);
    });
  }

  /** Where the trees of each sentence are stored, or -1. */
  _placeTrees(kept) {
    this.places = new Int32Array(this.count);
    let place = 0;
    for (let index = 0; index < this.count; index++) {
      this.places[index] = kept === null || kept[index >> 3] & (1 << (index & 7)) ? place++ : -1;
    }
  }

  /** The score of a sentence as a fraction of 1, or null. */
  score(system, metric, index) {
    const value = this.scores[system][metric][index];
    return value === MISSING_SCORE ? null : value / 1e6;
  }

  /** The number of words of a sentence, as the metric counts them. */
  length(system, metric, index) {
    return this._lengths[this.main.lengthColumns[system][metric] * this.count + index];
  }

  text(index) {
    return this.words[index].replaceAll('\t', ' ');
  }

  name(index) {
    return this.ids ? this.ids[index] : String(index + 1);
  }

  /** The index of the sentence with this id, or with this number if there are no ids; -1 if there is none. */
  find(id) {
    if (this.ids) return this.ids.indexOf(shownText(id));
    return /^\d+$/.test(id) && id >= 1 && id <= this.count ? id - 1 : -1;
  }

  /** The trees of a sentence and the outcomes of their nodes; null if they were left out. */
  async trees(index) {
    const place = this.places[index];
    if (place < 0) return null;
    const block = Math.floor(place / this.main.blockSize);
    if (!this._blocks.has(block)) {
      if (this._blocks.size >= 16) this._blocks.delete(this._blocks.keys().next().value);
      this._blocks.set(block, inflate(`trees-${block}`).then((bytes) => this._readBlock(bytes)));
    }
    const records = await this._blocks.get(block);
    return this._finished(records[place - block * this.main.blockSize], index);
  }

  /** For each system the outcome and the text of its completion of a sentence, or null; empty without completions. */
  async completions(index) {
    if (!this.main.hasCompletions) return [];
    const block = Math.floor(index / this.main.blockSize);
    const printed = JSON.parse(asText(await inflate(`completions-${block}`)));
    return printed[index - block * this.main.blockSize];
  }

  /** The address of the recording of a sentence, or null. */
  recording(index) {
    const { audio } = this.main;
    const number = audio ? audio.numbers[index] : null;
    if (number === null) return null;
    return audio.links.length ? audio.links[number] : URL.createObjectURL(new Blob([bytesOf(`audio-${number}`)]));
  }

  /** For each system, the repairs of a sentence: their class, sentence, and nodes, [[side, node]]; empty without classes. */
  async repairs(index, trees) {
    if (!this.main.classes || !trees?.gold) return [];
    const block = Math.floor(index / this.main.blockSize);
    if (this._repairBlock?.block !== block) this._repairBlock = { block, bytes: await inflate(`repairs-${block}`) };
    const reader = new Reader(this._repairBlock.bytes);
    const skip = (index - block * this.main.blockSize) * this.main.systems.length;
    for (let place = 0; place < skip; place++) reader.skip(reader.next());
    return this.main.systems.map((_, system) => {
      const numbers = reader.some(reader.next()).map((number) => number - 1);
      const repairs = [];
      while (numbers.length) repairs.push(this._repair(numbers, system, trees));
      return repairs;
    });
  }

  /** Take the next repair from the numbers of a sentence. */
  _repair(numbers, system, { gold, tests }) {
    const { fields, types, wording, labels, classes } = this.main.classes.repairs;
    const step = Object.fromEntries(fields.map((name) => [name, numbers.shift()]));
    const label = (number) => (number < 0 ? '' : shortWord(labels[system][number] || '∅'));
    const texts = {
      nodes: numbers.splice(0, step.children).map(label).join(' '),
      words: { input: phrased(gold.words.slice(step.first_leaf, step.end_leaf)) },
      label: label(step.label), new_label: label(step.new_label), parent: label(step.parent), new_parent: label(step.new_parent),
    };
    const type = types[step.repair];
    const isWithin = type === 'move' && step.parent === step.new_parent;
    const sentence = wording[isWithin ? 'move within a label' : type] + (type === 'move' && step.added_start >= 0 ? wording.added : '');
    const words = sentence.split(/\{(\w+)\}/u).map((part, place) => (place % 2 ? texts[part] : part)).filter(Boolean);
    const nodes = numbers.splice(0, step.gold_phrases + step.test_phrases).map((phrase, place) => (
      place < step.gold_phrases ? [0, gold.phrases[phrase]] : [1, tests[system]?.phrases[phrase]]));
    return { of: classes[system][step.of_class], words, nodes };
  }

  /** The columns of a block, split into sentences. */
  _readBlock(bytes) {
    const { systems, metrics } = this.main;
    const head = new Reader(bytes);
    const count = head.next();
    const sizes = head.some(head.next());
    let place = head.place;
    const columns = sizes.map((size) => {
      place += size;
      return bytes.subarray(place - size, place);
    });
    let column = 0;
    const next = () => new Reader(columns[column++]);
    const sides = [];
    for (let side = 0; side <= systems.length; side++) {
      const [head, items, ups, order, times] = [next(), next(), next(), next(), next()];
      const texts = asText(columns[column++]).split('\n');
      sides.push({ head, items, ups, order, times, texts, text: 0 });
    }
    const judged = systems.map(() => metrics.map((metric) => {
      if (!metric.hasTrees) return null;
      return { head: next(), gold: next(), test: next(), details: next(), places: next() };
    }));
    const records = [];
    for (let number = 0; number < count; number++) {
      const trees = sides.map((side) => {
        const flags = side.head.next();
        if (flags & 1) return null;
        const size = side.head.next();
        const items = side.items.some(size);
        const leaves = items.reduce((sum, item) => sum + (this.main.symbols[item][1] !== 'phrase'), 0);
        return {
          items,
          ups: side.ups.some(size),
          order: flags & 2 ? side.order.some(leaves) : null,
          times: flags & 8 ? intervals(side.times, leaves) : null,
          words: flags & 4 ? side.texts[side.text++] : null,
        };
      });
      const verdicts = judged.map((row, system) => row.map((from) => {
        if (from === null) return null;
        const flags = from.head.next();
        if (!(flags & 1)) return null;
        return this._readVerdicts(from, flags, [trees[0], trees[system + 1]]);
      }));
      records.push({ trees, verdicts });
    }
    return records;
  }

  /** The outcomes of the nodes of one pair of trees by one metric. */
  _readVerdicts(from, flags, trees) {
    const kinds = trees.map((tree) => (tree ? tree.items : [])
      .map((item) => this.main.symbols[item][1])
      .filter((kind) => kind !== 'word'));
    const sides = kinds.map((side) => side.map((kind, number) => (
      { number, mark: 'ignored', partner: null, iou: null, crossing: false, twin: null }
    )));
    const listed = kinds.map((side) => side.flatMap((kind, number) => (flags & 2 && kind === 'tag' ? [] : [number])));
    const twinOf = (code) => (code ? code - 1 : null);
    let offset = 0;
    for (const number of listed[0]) {
      const code = from.gold.next();
      const node = sides[0][number];
      if (code === 0) continue;
      node.crossing = code % 2 === 0;
      if (code <= 2) {
        node.mark = 'missing';
        node.twin = twinOf(from.details.next());
        continue;
      }
      node.mark = 'aligned';
      node.iou = 1;
      if (code >= 5) {
        offset += from.details.signed();
        node.iou = 1 - from.details.next() / 1e6;
      }
      node.partner = number + offset;
      Object.assign(sides[1][node.partner], { mark: 'aligned', partner: number, iou: node.iou });
    }
    for (const number of listed[1]) {
      const code = from.test.next();
      const node = sides[1][number];
      node.crossing = code > 0 && code % 2 === 0;
      if (code !== 1 && code !== 2) continue;
      node.mark = 'extra';
      node.twin = twinOf(from.details.next());
    }
    let places = null;
    if (flags & 4) {
      places = trees.map(() => intervals(from.places, from.places.next()));
    }
    return { sides, places };
  }

  _finished(record, index) {
    const own = this.words[index] === '' ? [] : this.words[index].split('\t');
    const trees = record.trees.map((tree) => {
      if (tree === null) return null;
      const words = tree.words === null ? own : tree.words === '' ? [] : tree.words.split('\t');
      return new Tree(this.main.symbols, tree.items, tree.ups, tree.order, words, tree.times);
    });
    return { gold: trees[0], tests: trees.slice(1), verdicts: record.verdicts };
  }
}
