// Trees on one axis: gold above, systems below, roots away from the axis. Independent of metrics.

const ROW = 36, BOX = 22, GAP = 14, MARGIN = 12;
const WIDE_PER_LEAF = 180, MOST_WIDE = 30000, MOST_SILENCE = 300, MOST_TICKS = 200;  // for axes with a scale
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u;
const LEFT_TO_RIGHT = /\p{Script=Latin}|\p{Script=Cyrillic}|\p{Script=Greek}/u;

/** The signs before the label of a node. */
function markText(node) {
  const sign = { missing: '−', extra: '+' }[node.mark] ?? '';
  return `${sign}${node.crossing ? '×' : ''}${node.twin === null ? '' : '≠'}`;
}

/** The IoU of two nodes, if below 1. */
const shareText = (iou) => Math.min(iou, 0.99).toFixed(2);

/** The outcome of a node in words. */
function markWords(node) {
  if (node.mark === 'plain') return '';
  const words = [{ aligned: 'aligned', missing: 'missing', extra: 'extra', ignored: 'not counted' }[node.mark]];
  if (node.iou !== null && node.iou < 1) words.push(`IoU ${shareText(node.iou)}`);
  if (node.crossing) words.push('crossing');
  if (node.twin !== null) words.push('other label over the same words');
  return words.join(', ');
}

function isRightToLeft(words) {
  let balance = 0;
  for (const word of words) balance += RIGHT_TO_LEFT.test(word) ? 1 : LEFT_TO_RIGHT.test(word) ? -1 : 0;
  return balance > 0;
}

/** The height of each node above the words. */
function heights(tree) {
  if (tree.hasGaps) return heightsWithGaps(tree);
  const levels = tree.labels.map((_, node) => (tree.isPreterminal[node] ? 0 : 1));
  for (let node = tree.size - 1; node >= 0; node--) {
    const parent = tree.parents[node];
    if (parent >= 0) levels[parent] = Math.max(levels[parent], levels[node] + 1);
  }
  return levels;
}

/** Heights in a discontinuous tree: nodes with interleaved words have different heights, the wider node is higher. */
function heightsWithGaps(tree) {
  const levels = tree.labels.map((_, node) => (tree.isPreterminal[node] ? 0 : 1));
  const wide = (node) => tree.lasts[node] - tree.firsts[node];
  const nodesAt = [];
  const order = tree.labels.map((_, node) => node).sort((a, b) => wide(a) - wide(b) || b - a);  // children first
  for (const node of order) {
    const [first, last, parent] = [tree.firsts[node], tree.lasts[node], tree.parents[node]];
    while ((nodesAt[levels[node]] ??= []).some((other) => tree.firsts[other] < last && first < tree.lasts[other])) levels[node]++;
    nodesAt[levels[node]].push(node);
    if (parent >= 0) levels[parent] = Math.max(levels[parent], levels[node] + 1);
  }
  return levels;
}

/** The positions of the leaves of all panels, [left, right] in pixels, and the total width. */
function columns(panels, fonts, hasRuler) {
  const placed = panels.every((panel) => panel.places);
  const needed = panels.map(({ tree, boxes }) => {
    const widths = tree.words.map((word) => textWidth(word, fonts.word));
    boxes.forEach((box, node) => {
      const [first, last] = tree.standsOver(node);
      if (last - first === 1) widths[first] = Math.max(widths[first], box.width);
    });
    return widths.map((width) => Math.max(width, 12) + GAP);
  });
  if (placed && hasRuler) return timedColumns(panels, needed);
  const numbers = placed ? columnNumbers(panels) : panels.map(({ tree }) => tree.words.map((_, leaf) => leaf));
  const widths = [];
  numbers.forEach((side, panel) => side.forEach((column, leaf) => {
    widths[column] = Math.max(widths[column] ?? 0, needed[panel][leaf]);
  }));
  panels.forEach(({ tree, boxes }, panel) => {
    boxes.forEach((box, node) => {
      const [from, to] = tree.standsOver(node);
      if (to <= from) return;
      const [first, last] = [numbers[panel][from], numbers[panel][to - 1] + 1];
      let room = -GAP;
      for (let column = first; column < last; column++) room += widths[column];
      if (box.width > room) widths[last - 1] += box.width - room;
    });
  });
  let at = MARGIN;
  const edges = widths.map((width) => [at, (at += width)]);
  return { edges: numbers.map((side) => side.map((column) => edges[column])), width: at + MARGIN, scale: null };
}

/** Columns of words whose positions are numbers: equal positions share columns; an uncounted word has its own column. */
function columnNumbers(panels) {
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
  panels.forEach(({ tree, boxes, places }) => boxes.forEach((box, node) => {
    const [first, last] = tree.standsOver(node);
    if (last <= first) return;
    const centre = (at(places[first][0]) + at(places[last - 1][1])) / 2;
    before = Math.max(before, box.width / 2 - centre);
    behind = Math.max(behind, centre + box.width / 2 - end);
  }));
  const x = (value) => MARGIN + before + at(value);
  const edges = panels.map((panel) => panel.places.map(([from, to]) => [x(from), x(to)]));
  return { edges, width: 2 * MARGIN + before + end + behind, scale: { parts, long, ratio, at: x } };
}

/**
 * The drawing of several panels: [{ tree, nodes, boxes, places, name, upright }], gold first.
 * `nodes` are the outcomes of nodes, `boxes` their texts and colours.
 */
class Drawing {
  constructor(panels, { onHover, onLeave, describe, axis }) {
    Object.assign(this, { panels, onHover, onLeave, describe, axis });
    const style = getComputedStyle(document.documentElement);
    const family = style.getPropertyValue('--sans') || 'sans-serif';
    this.fonts = { word: `15px ${family}`, label: `600 13px ${family}` };
    for (const { boxes } of panels) {
      for (const box of boxes) box.width = textWidth(box.text, this.fonts.label) + 14;
    }
    this.layout = columns(panels, this.fonts, axis.hasRuler);
    this.leftwards = isRightToLeft(panels[0].tree.words.length ? panels[0].tree.words : panels.at(-1).tree.words);
    this.zoom = 1;
    this.element = this._draw();
  }

  x(value) {
    return this.leftwards ? this.layout.width - value : value;
  }

  _draw() {
    let top = MARGIN;
    const groups = [];
    const gold = this.panels[0];
    this.bands = svg('g', { class: 'bands' });
    this.panels.forEach((panel, number) => {
      panel.heights = heights(panel.tree);
      const levels = Math.max(0, ...panel.heights.map((height) => height + 1));
      const words = panel.tree.words.join('\n');
      panel.showsWords = number === 0 || number > 1 || words !== gold.tree.words.join('\n');
      if (number === 0) {
        panel.axis = top + 18 + levels * ROW;
        top = panel.axis + 26;
        if (this.layout.scale) top += 22;
      } else {
        panel.axis = top + (panel.showsWords ? 26 : 0);
        if (number > 1) panel.axis += 26;
        top = panel.axis + levels * ROW + 22;
      }
      panel.top = number === 0 ? MARGIN : panel.axis - (panel.showsWords ? 26 : 0);
      panel.bottom = number === 0 ? panel.axis + 26 : top;
      groups.push(this._panel(panel, number));
    });
    this.height = top + MARGIN;
    const [left, right] = this._ends();
    this.width = right - left;
    const picture = svg('svg', {
      class: 'trees', role: 'group', viewBox: `${left} 0 ${this.width} ${this.height}`,
      'aria-label': 'Drawing of the trees. Arrow keys go from node to node.',
    }, this.bands, this._ruler(), groups);
    const first = picture.querySelector('.node');
    if (first) first.setAttribute('tabindex', '0');
    picture.addEventListener('keydown', (event) => this._move(event));
    this.setZoom(1, picture);
    return picture;
  }

  /** The left and right end of the drawing: names of systems and empty nodes may exceed the words. */
  _ends() {
    let [left, right] = [0, this.layout.width];
    for (const { name, boxes, centres } of this.panels) {
      const long = textWidth(name, this.fonts.label) + 2 * MARGIN;
      if (this.leftwards) left = Math.min(left, this.layout.width - long);
      else right = Math.max(right, long);
      boxes.forEach(({ width }, node) => {
        left = Math.min(left, centres[node] - width / 2 - 2);
        right = Math.max(right, centres[node] + width / 2 + 2);
      });
    }
    return [left, right];
  }

  _ruler() {
    const { scale } = this.layout;
    if (!scale) return null;
    const { unit } = this.axis;
    const y = this.panels[0].axis + 30;
    const widest = textWidth(`${scale.parts.at(-1).to.toFixed(2)}${unit}`, this.fonts.word);
    const rough = Math.max(scale.long / MOST_TICKS, Math.max(55, widest) / scale.ratio, 1e-6);
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((digit) => digit * power).find((size) => size >= rough * 0.999);
    const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    const marks = [];
    for (const { from, to, isCut } of scale.parts) {
      const [x1, x2] = [this.x(scale.at(from)), this.x(scale.at(to))];
      marks.push(svg('line', { class: isCut ? 'cut' : null, x1, x2, y1: y - 4, y2: y - 4 }));
      if (isCut) continue;
      const first = Math.ceil(from / step - 1e-9);
      for (let tick = first; tick <= first + MOST_TICKS && tick * step <= to + step * 1e-9; tick++) {
        const x = this.x(scale.at(Math.min(to, tick * step)));
        marks.push(svg('line', { x1: x, x2: x, y1: y - 4, y2: y }));
        marks.push(svg('text', { x, y: y + 12, 'text-anchor': 'middle' }, `${Number((tick * step).toFixed(digits))}${unit}`));
      }
    }
    return svg('g', { class: 'ruler' }, marks);
  }

  _panel(panel, number) {
    const { tree, boxes } = panel;
    const edges = this.layout.edges[number];
    const direction = number === 0 ? -1 : 1;
    const y = (node) => panel.axis + direction * (panel.heights[node] * ROW + BOX / 2 + 4);
    const span = ([first, last]) => {
      if (last > first) return [edges[first][0], edges[last - 1][1]];
      const at = first < edges.length ? edges[first][0] : edges.at(-1)?.[1] ?? MARGIN;
      return [at, at];
    };
    panel.spans = tree.labels.map((_, node) => tree.runs(node).map(span));
    const centres = panel.centres = tree.labels.map((_, node) => {
      const [left, right] = span(tree.standsOver(node));
      return this.x((left + right) / 2);
    });
    const order = tree.labels.map((_, node) => node);
    // Crossing branches: higher branches are drawn over lower branches.
    if (tree.hasGaps) order.sort((a, b) => panel.heights[a] - panel.heights[b]);
    const lines = [];
    order.forEach((node) => {
      const below = tree.children[node];
      const bare = tree.leafNodes.flatMap((parent, leaf) => (parent === node && !tree.isPreterminal[node] ? [leaf] : []));
      const ends = [
        ...below.map((child) => [centres[child], y(child) + direction * BOX / 2]),
        ...bare.map((leaf) => [this.x((edges[leaf][0] + edges[leaf][1]) / 2), panel.axis]),
      ];
      if (!ends.length) return;
      const start = y(node) - direction * BOX / 2;
      const bus = start - direction * 6;
      const all = [centres[node], ...ends.map(([x]) => x)];
      let path = `M${centres[node]} ${start}V${bus}`;
      if (Math.max(...all) > Math.min(...all)) path += `M${Math.min(...all)} ${bus}H${Math.max(...all)}`;
      for (const [x, end] of ends) path += `M${x} ${bus}V${end}`;
      if (tree.hasGaps) lines.push(svg('path', { class: 'halo', d: path }));
      lines.push(svg('path', { class: 'edge', d: path }));
    });
    const words = panel.showsWords ? tree.words.map((word, leaf) => {
      const [left, right] = edges[leaf];
      return svg('text', {
        class: number > 1 ? 'word again' : 'word', x: this.x((left + right) / 2),
        y: number === 0 ? panel.axis + 18 : panel.axis - 8, 'text-anchor': 'middle',
        direction: RIGHT_TO_LEFT.test(word) ? 'rtl' : 'ltr',
      }, this._fitting(word, right - left));
    }) : [];
    panel.elements = boxes.map((box, node) => this._box(panel, number, node, centres[node], y(node)));
    const caption = svg('text', {
      class: 'caption', x: this.leftwards ? this.layout.width - MARGIN : MARGIN, direction: 'ltr',
      'text-anchor': this.leftwards ? 'end' : 'start',
      y: number === 0 ? panel.top + 4 : panel.bottom - 4,
    }, panel.name);
    return svg('g', { class: 'panel' }, lines, words, panel.elements, caption);
  }

  /** A word shortened to its width, on an axis with a scale. */
  _fitting(word, room) {
    if (!this.layout.scale || textWidth(word, this.fonts.word) <= room) return word;
    let cut = Array.from(word);
    while (cut.length > 1 && textWidth(`${cut.join('')}…`, this.fonts.word) > room) cut = cut.slice(0, -1);
    return `${cut.join('')}…`;
  }

  _box(panel, side, node, x, y) {
    const box = panel.boxes[node];
    const kind = panel.tree.isPreterminal[node] ? ' preterminal' : '';
    return svg('g', {
      class: `node ${box.kind}${kind}${box.colour === null ? '' : ` c${box.colour}`}`,
      'data-side': side, 'data-node': node, tabindex: '-1', role: 'img', 'aria-label': this.describe(side, node),
      onpointerenter: () => this.onHover(side, node), onpointerleave: () => this.onLeave(),
      onfocus: () => this.onHover(side, node), onblur: () => this.onLeave(),
    },
    svg('rect', { x: x - box.width / 2, y: y - BOX / 2, width: box.width, height: BOX, rx: 5 }),
    svg('text', { x, y: y + 4.5, 'text-anchor': 'middle', direction: 'ltr' }, box.text));
  }

  /** Marks nodes, [[side, node]], and the words under them; none with an empty list. */
  highlight(nodes) {
    for (const element of this.element.querySelectorAll('.node.lit')) element.classList.remove('lit');
    this.element.classList.toggle('dimmed', nodes.length > 0);
    this.bands.replaceChildren(...nodes.flatMap(([side, node], number) => {
      const panel = this.panels[side];
      panel.elements[node].classList.add('lit');
      return panel.spans[node].map(([left, right]) => svg('rect', {
        class: number ? 'band other' : 'band', x: Math.min(this.x(left), this.x(right)), y: panel.top,
        width: Math.max(2, right - left), height: panel.bottom - panel.top,
      }));
    }));
  }

  _move(event) {
    const from = event.target.closest?.('.node');
    const step = { ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right' }[event.key];
    if (!from || !step || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const side = Number(from.dataset.side), node = Number(from.dataset.node);
    const { tree } = this.panels[side];
    const outwards = side === 0 ? 'up' : 'down';
    let to = null;
    if (step === 'up' || step === 'down') {
      const next = step === outwards ? tree.parents[node] : tree.children[node][0] ?? -1;
      to = next >= 0 ? [side, next] : null;
      if (to === null && step !== outwards) {  // over the axis, to the same word of the next tree
        const other = side === 0 ? 1 : 0;
        const leaf = tree.firsts[node];
        const below = this.panels[other]?.tree.leafNodes[leaf] ?? -1;
        to = below >= 0 ? [other, below] : null;
      }
    } else {
      const sign = (step === 'right') === !this.leftwards ? 1 : -1;
      const next = node + sign;
      to = next >= 0 && next < tree.size ? [side, next] : null;
    }
    if (to === null) return;
    const element = this.panels[to[0]].elements[to[1]];
    from.setAttribute('tabindex', '-1');
    element.setAttribute('tabindex', '0');
    element.focus();
    element.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  setZoom(zoom, picture = this.element) {
    this.zoom = Math.min(4, Math.max(0.1, zoom));
    picture.setAttribute('width', Math.round(this.width * this.zoom));
    picture.setAttribute('height', Math.round(this.height * this.zoom));
  }
}
