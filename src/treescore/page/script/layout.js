// Where trees are drawn: gold before the words, systems after them. `u` is the direction of the words, `v` crosses it.
// Upright drawings have words on a line; turned drawings have one word, or one folded phrase, per row.

const ROW = 28, BOX = 20, GAP = 9, MARGIN = 10, LINE = 18;
const TURNED_BOX = 18, TURNED_GAP = 11;  // the height of boxes, and the room between levels of a turned drawing
const FOLDED_WIDTH = 130, MOST_LINES = 4, TURNED_WIDTH = 260;  // of the words of a folded phrase
const LONGEST_TEXT = 170;  // of a word or label, in pixels
const WIDE_PER_LEAF = 180, MOST_WIDE = 30000, MOST_SILENCE = 300, MOST_TICKS = 200;  // for axes with a scale
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u;
const LEFT_TO_RIGHT = /\p{Script=Latin}|\p{Script=Cyrillic}|\p{Script=Greek}/u;

function isRightToLeft(words) {
  let balance = 0;
  for (const word of words) balance += RIGHT_TO_LEFT.test(word) ? 1 : LEFT_TO_RIGHT.test(word) ? -1 : 0;
  return balance > 0;
}

/** A text that is shortened in the middle if it is wider than this. */
function fitting(text, font, most) {
  if (textWidth(text, font) <= most) return text;
  const characters = Array.from(text);
  let [least, size] = [0, Math.min(characters.length, 400)];
  const cut = (kept) => `${characters.slice(0, Math.ceil(kept / 2)).join('')}…${
    kept > 1 ? characters.slice(-Math.floor(kept / 2)).join('') : ''}`;
  while (least < size) {
    const middle = Math.ceil((least + size) / 2);
    if (textWidth(cut(middle), font) <= most) least = middle;
    else size = middle - 1;
  }
  return cut(Math.max(1, least));
}

/** Words in lines that are as wide as `most`, or as the longest word. */
function wrapped(words, font, most) {
  const lines = [];
  for (const word of words) {
    const line = lines.length ? `${lines.at(-1)} ${word}` : word;
    if (lines.length && textWidth(line, font) <= most) lines[lines.length - 1] = line;
    else lines.push(word);
  }
  return lines;
}

/** Words in so many lines, as narrow as possible. */
function inLines(words, font, count, long) {
  let most = long / count, lines = wrapped(words, font, most);
  while (lines.length > count) lines = wrapped(words, font, most *= 1.06);
  return lines;
}

/** The height of each node above the words; folded nodes are directly above them. */
function heights({ tree, hidden, folds }) {
  const levels = tree.labels.map((_, node) => (tree.isPreterminal[node] || folds.has(node) ? 0 : 1));
  if (tree.hasGaps) return heightsWithGaps(tree, hidden, levels);
  for (let node = tree.size - 1; node >= 0; node--) {
    const parent = tree.parents[node];
    if (parent >= 0 && !hidden[node]) levels[parent] = Math.max(levels[parent], levels[node] + 1);
  }
  return levels;
}

/** Heights in a discontinuous tree: nodes with interleaved words have different heights, the wider node is higher. */
function heightsWithGaps(tree, hidden, levels) {
  const wide = (node) => tree.lasts[node] - tree.firsts[node];
  const nodesAt = [];
  const order = tree.labels.map((_, node) => node).filter((node) => !hidden[node])
    .sort((a, b) => wide(a) - wide(b) || b - a);  // children first
  for (const node of order) {
    const [first, last, parent] = [tree.firsts[node], tree.lasts[node], tree.parents[node]];
    while ((nodesAt[levels[node]] ??= []).some((other) => tree.firsts[other] < last && first < tree.lasts[other])) levels[node]++;
    nodesAt[levels[node]].push(node);
    if (parent >= 0) levels[parent] = Math.max(levels[parent], levels[node] + 1);
  }
  return levels;
}

/** The words of a panel in groups that share a place: one word, or the words of a folded node. */
function cellsOf({ tree, folds }, { fonts, turned, isTimed }) {
  const nodeOver = new Map([...folds].map((node) => [tree.firsts[node], node]));
  const shownWords = tree.words.map((word) => fitting(word, fonts.word, LONGEST_TEXT));
  const cells = [];
  for (let first = 0, last; first < tree.words.length; first = last) {
    const node = isTimed ? undefined : nodeOver.get(first);
    last = node === undefined ? first + 1 : tree.lasts[node];
    const words = shownWords.slice(first, last);
    const long = textWidth(words.join(' '), fonts.word);
    const count = Math.min(MOST_LINES, Math.ceil(long / FOLDED_WIDTH));
    const lines = turned ? wrapped(words, fonts.word, TURNED_WIDTH) : inLines(words, fonts.word, count, long);
    cells.push({ first, last, lines, width: Math.max(12, ...lines.map((line) => textWidth(line, fonts.word))) });
  }
  return cells;
}

/** The room that each leaf needs along the axis; the first leaf of a cell has the room of the cell. */
function neededRoom({ tree, boxes, hidden, cells }, turned) {
  const needed = new Array(tree.words.length).fill(0);
  for (const { first, last, lines, width } of cells) {
    needed[first] = turned ? Math.max(TURNED_BOX, lines.length * LINE) + 2 : width + GAP;
    if (turned) continue;
    for (let node = 0; node < tree.size; node++) {
      const over = hidden[node] ? null : tree.standsOver(node);
      if (over && over[0] === first && over[1] === last) needed[first] = Math.max(needed[first], boxes[node].width + GAP);
    }
  }
  return needed;
}

/** The positions of the leaves of all panels, [from, to] in pixels, and the total length. */
function columns(panels, { hasRuler, turned }) {
  const needed = panels.map((panel) => neededRoom(panel, turned));
  const numbers = columnNumbers(panels);
  if (hasRuler && !turned && panels.every((panel) => panel.places)) return timedColumns(panels, needed);
  const widths = [];
  numbers.forEach((side, panel) => side.forEach((column, leaf) => {
    widths[column] = Math.max(widths[column] ?? 0, needed[panel][leaf]);
  }));
  if (!turned) {
    panels.forEach(({ tree, boxes, hidden }, panel) => boxes.forEach((box, node) => {
      const [from, to] = tree.standsOver(node);
      if (to <= from || hidden[node]) return;
      const [first, last] = [numbers[panel][from], numbers[panel][to - 1] + 1];
      let room = -GAP;
      for (let column = first; column < last; column++) room += widths[column];
      if (box.width > room) widths[last - 1] += box.width - room;
    }));
  }
  let at = MARGIN;
  const places = widths.map((width) => [at, (at += width)]);
  const edges = panels.map(({ cells }, panel) => cells.flatMap(({ first, last }) => {
    const own = numbers[panel].slice(first, last);
    return own.map((column) => (last - first === 1 ? places[column] : [places[own[0]][0], places[own.at(-1)][1]]));
  }));
  return { edges, length: at + MARGIN, scale: null };
}

/** The column of each word: words at equal positions share columns; an uncounted word has its own column. */
function columnNumbers(panels) {
  if (!panels.every((panel) => panel.places)) return panels.map(({ tree }) => tree.words.map((_, leaf) => leaf));
  const numbers = panels.map(() => []);
  const next = (side) => panels[side].places[numbers[side].length];
  for (let word = 0, column = 0; numbers.some((_, side) => next(side)); word++, column++) {
    const first = column;
    numbers.forEach((own, side) => {
      for (let free = first; next(side)?.[1] === word; free++) {
        own.push(free);
        column = Math.max(column, free + 1);
      }
    });
    numbers.forEach((own, side) => {
      if (next(side)) own.push(column);
    });
  }
  return numbers;
}

/**
 * On an axis of characters or seconds, lengths are to scale, within the limits of text and drawing.
 * Long silences are shortened; `parts` are the intervals of the axis: [{ from, to, left, right, isCut }].
 */
function timedColumns(panels, needed) {
  const all = panels.flatMap((panel) => panel.places).sort((a, b) => a[0] - b[0]);
  const ratios = panels.flatMap((panel, side) => panel.places
    .flatMap(([from, to], leaf) => (to > from ? [needed[side][leaf] / (to - from)] : [])))
    .sort((a, b) => a - b);
  const wanted = ratios.length ? ratios[Math.floor(0.9 * (ratios.length - 1))] : 1;
  const stretches = [];  // of words and silences that are not too long
  for (const [from, to] of all) {
    const last = stretches.at(-1);
    if (last && (from - last[1]) * wanted <= MOST_SILENCE) last[1] = Math.max(last[1], to);
    else stretches.push([from, to]);
  }
  if (!stretches.length) stretches.push([0, 0]);
  const long = stretches.reduce((sum, [from, to]) => sum + to - from, 0);
  const leaves = Math.max(...panels.map((panel) => panel.places.length));
  const ratio = Math.min(wanted, Math.min(MOST_WIDE, Math.max(600, WIDE_PER_LEAF * leaves)) / (long || 1));
  const silence = Math.min(MOST_SILENCE, MOST_WIDE / stretches.length);
  const parts = [];
  let end = 0;
  stretches.forEach(([from, to], place) => {
    if (place) parts.push({ from: parts.at(-1).to, to: from, left: end, right: (end += silence), isCut: true });
    parts.push({ from, to, left: end, right: (end += (to - from) * ratio), isCut: false });
  });
  const at = (value) => {
    const { from, to, left, right } = parts.find((part) => value <= part.to) ?? parts.at(-1);
    return to > from ? left + ((value - from) / (to - from)) * (right - left) : left;
  };
  let before = 0, behind = 0;  // width of labels beyond the first and the last word
  panels.forEach(({ tree, boxes, hidden, places }) => boxes.forEach((box, node) => {
    const [first, last] = tree.standsOver(node);
    if (last <= first || hidden[node]) return;
    const centre = (at(places[first][0]) + at(places[last - 1][1])) / 2;
    before = Math.max(before, box.width / 2 - centre);
    behind = Math.max(behind, centre + box.width / 2 - end);
  }));
  const x = (value) => MARGIN + before + at(value);
  const edges = panels.map((panel) => panel.places.map(([from, to]) => [x(from), x(to)]));
  return { edges, length: 2 * MARGIN + before + end + behind, scale: { parts, long, ratio, at: x } };
}

/**
 * The layout of several panels, gold first: [{ tree, boxes, places, name, folds }], where `boxes` have parts and
 * `folds` is the set of nodes whose subtrees are folded. The words of gold are between v = 0 and `gold.zone`.
 */
class Layout {
  constructor(panels, { fonts, hasRuler, turned }) {
    Object.assign(this, { panels, fonts, turned });
    this.leftwards = !turned && isRightToLeft(panels[0].tree.words.length ? panels[0].tree.words : panels.at(-1).tree.words);
    const isTimed = hasRuler && !turned && panels.every((panel) => panel.places);
    for (const panel of panels) {
      panel.hidden = panel.tree.parents.reduce((hidden, parent) => {
        hidden.push(parent >= 0 && (hidden[parent] || panel.folds.has(parent)));
        return hidden;
      }, []);
      panel.cells = cellsOf(panel, { fonts, turned, isTimed });
      panel.heights = heights(panel);
    }
    const { edges, length, scale } = columns(panels, { hasRuler, turned });
    this.scale = scale;
    this.length = length;
    panels.forEach((panel, number) => {
      panel.edges = edges[number];
    });
    this._acrossAxis();
    for (const panel of panels) this._nodes(panel);
    this.bounds = this._bounds();
  }

  /** Places across the axis: the words and levels of each panel. */
  _acrossAxis() {
    const gold = this.panels[0];
    const sameWords = (panel) => panel.tree.words.join('\n') === gold.tree.words.join('\n');
    let end = 0;
    this.panels.forEach((panel, number) => {
      panel.out = number ? 1 : -1;
      panel.showsWords = number !== 1 || !sameWords(panel);
      panel.wordsAt = end;
      const { cells } = panel;
      const room = this.turned ? Math.max(30, ...cells.map((cell) => cell.width)) + GAP
        : LINE * Math.max(1, ...cells.map((cell) => cell.lines.length)) + 8;
      panel.zone = panel.showsWords ? room : 0;
      end += panel.zone;
      if (number === 0 && this.scale) end += 22;
      panel.base = number ? end : 0;
      panel.distances = this._distances(panel);
      const deep = panel.distances.map((distance, node) => (panel.hidden[node] ? 0 : distance + this._depth(panel, node)));
      panel.far = panel.base + panel.out * (Math.max(0, ...deep) + ROW - BOX);
      if (number) end = panel.far + 26;
    });
  }

  /** Where each node starts, as a distance from the words: a turned node directly after its children, others by level. */
  _distances({ tree, heights: levels, boxes, hidden }) {
    const first = 5;
    if (!this.turned) return levels.map((level) => first + level * ROW);
    if (tree.hasGaps) {
      const widest = [];
      levels.forEach((level, node) => {
        if (!hidden[node]) widest[level] = Math.max(widest[level] ?? 0, boxes[node].width + TURNED_GAP);
      });
      return levels.map((level) => widest.slice(0, level).reduce((sum, wide) => sum + (wide ?? 0), first));
    }
    const starts = levels.map(() => first);
    for (let node = tree.size - 1; node >= 0; node--) {
      const parent = tree.parents[node];
      if (parent < 0 || hidden[node]) continue;
      starts[parent] = Math.max(starts[parent], starts[node] + boxes[node].width + TURNED_GAP);
    }
    return starts;
  }

  /** The places of nodes: `us` their centres along the axis, `vs` their edges across it, [towards the words, away]. */
  _nodes(panel) {
    const { tree, boxes, edges, distances } = panel;
    const span = ([first, last]) => {
      if (last > first) return [edges[first][0], edges[last - 1][1]];
      const at = first < edges.length ? edges[first][0] : edges.at(-1)?.[1] ?? MARGIN;
      return [at, at];
    };
    panel.spans = tree.labels.map((_, node) => tree.runs(node).map(span));
    panel.over = tree.labels.map((_, node) => span(tree.standsOver(node)));
    panel.us = panel.over.map(([from, to]) => (from + to) / 2);
    panel.vs = boxes.map((_, node) => {
      const start = distances[node];
      return [start, start + this._depth(panel, node)].map((distance) => panel.base + panel.out * distance);
    });
    panel.sizes = boxes.map((box, node) => {
      const [from, to] = panel.over[node];
      if (this.turned) return panel.folds.has(node) ? Math.max(TURNED_BOX, to - from - 2) : TURNED_BOX;
      return panel.folds.has(node) && !this.scale ? Math.max(box.width, to - from - 4) : box.width;
    });
  }

  /** The size of a box across the axis. */
  _depth(panel, node) {
    return this.turned ? panel.boxes[node].width : BOX;
  }

  /** Where the lines to the children of a node meet. */
  bus(panel, node) {
    return panel.base + panel.out * (panel.distances[node] - (this.turned ? TURNED_GAP : ROW - BOX) / 2);
  }

  /** The point of a place along and across the axis. */
  point(u, v) {
    return this.turned ? [v, u] : [this.leftwards ? this.length - u : u, v];
  }

  /** The rectangle between two places along, and two across the axis. */
  rectangle([from, to], [near, far]) {
    const [[x1, y1], [x2, y2]] = [this.point(from, near), this.point(to, far)];
    return { x: Math.min(x1, x2), y: Math.min(y1, y2), width: Math.abs(x2 - x1), height: Math.abs(y2 - y1) };
  }

  box(panel, node) {
    const [middle, half] = [panel.us[node], panel.sizes[node] / 2];
    return this.rectangle([middle - half, middle + half], panel.vs[node]);
  }

  /** Everything that is drawn. */
  _bounds() {
    let [left, right, top, bottom] = [0, 0, 0, 0];
    const include = ({ x, y, width, height }) => {
      [left, right] = [Math.min(left, x), Math.max(right, x + width)];
      [top, bottom] = [Math.min(top, y), Math.max(bottom, y + height)];
    };
    for (const panel of this.panels) {
      include(this.rectangle([0, this.length], [panel.wordsAt, panel.far]));
      panel.boxes.forEach((_, node) => panel.hidden[node] || include(this.box(panel, node)));
      panel.captionAt = this._caption(panel);
      include(panel.captionAt);
    }
    return { x: left - MARGIN, y: top - MARGIN, width: right - left + 2 * MARGIN, height: bottom - top + 2 * MARGIN };
  }

  /** The name of a panel: beside its root if it is turned, else at the far end of its levels. */
  _caption(panel) {
    const width = textWidth(panel.caption, this.fonts.label) + 4;
    if (this.turned) {
      const isGold = panel.out < 0;
      return { x: isGold ? -width : panel.base, y: -12, width, height: 18 };
    }
    const x = this.leftwards ? this.length - width - 2 : 2;
    return { x, y: panel.out < 0 ? panel.far - 12 : panel.far - 6, width, height: 18 };
  }
}
