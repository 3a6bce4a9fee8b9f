// Drawings of trees, which can be moved and zoomed. Independent of metrics.

/** The signs of outcomes as lines around the origin: fonts without ≠ would show two characters. */
const SIGNS = {
  '−': 'M-4 0H4', '+': 'M-4 0H4M0 -4V4', '×': 'M-3.5 -3.5L3.5 3.5M3.5 -3.5L-3.5 3.5', '≠': 'M-4 -2H4M-4 2H4M2.5 -5L-2.5 5',
};
const SIGN_WIDTH = 11;
const LEAST_ZOOM = 0.05, MOST_ZOOM = 4, MOST_FIT = 1.25;
/** Text below this zoom is hard to read: the drawing opens at its errors instead of as a whole. */
const READABLE = 0.5;

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

/** The parts of a box as text: "−≠ NP 0.75". */
const boxText = (parts) => parts.map((part, place) => (
  `${place && !(part.sign && parts[place - 1].sign) ? ' ' : ''}${part.sign ?? part.text}`)).join('');

/** Signs for text: drawn, since the words for them are next to them. */
const signPictures = (text) => Array.from(text).map((sign) => svg('svg', { class: 'sign', viewBox: '-6 -6 12 12', 'aria-hidden': 'true' },
  svg('path', { d: SIGNS[sign] })));

/** The fonts of words and labels, as in the style of the page. */
function drawnFonts() {
  const family = getComputedStyle(document.documentElement).getPropertyValue('--sans') || 'sans-serif';
  return { word: `15px ${family}`, label: `600 13px ${family}`, quiet: `13px ${family}`, small: `11px ${family}` };
}

/** The widths of the parts of boxes, and of the boxes. */
function measureBoxes(boxes, fonts) {
  for (const box of boxes) {
    const font = { aligned: fonts.quiet, less: fonts.quiet, plain: fonts.quiet, ignored: fonts.small }[box.kind] ?? fonts.label;
    const padding = box.kind === 'ignored' ? 2 : 6;
    let width = padding;
    for (const part of box.parts) {
      if (part.text) part.shown = fitting(part.text, font, LONGEST_TEXT);
      part.at = width;
      width += part.sign ? SIGN_WIDTH : textWidth(part.shown, font) + 4;
    }
    box.width = width + padding - 4;
  }
}

/** The zoom at which a layout fits into a room. */
const fittingZoom = ({ bounds }, room) => Math.min(MOST_FIT, room.width / bounds.width, room.height / bounds.height);

/** The layout that can be shown larger: upright, or if that is small, turned. */
function bestLayout(panels, axis, room, turned = null) {
  const fonts = drawnFonts();
  const layout = (isTurned) => new Layout(panels.map((panel) => ({ ...panel })), { fonts, hasRuler: axis.hasRuler, turned: isTurned });
  for (const { boxes } of panels) measureBoxes(boxes, fonts);
  const isTimed = axis.hasRuler && panels.every((panel) => panel.places);
  if (turned !== null && !isTimed) return layout(turned);
  const upright = layout(false);
  if (isTimed || fittingZoom(upright, room) >= 0.85) return upright;
  const other = layout(true);
  return fittingZoom(other, room) > 1.05 * fittingZoom(upright, room) ? other : upright;
}

/** The drawing of a layout. `describe`, `onHover`, `onLeave` and `onChoose` take the number of a panel and a node. */
class Drawing {
  constructor(layout, { axis, describe, onHover, onLeave, onChoose, onMove, onView }) {
    Object.assign(this, { layout, axis, describe, onHover, onLeave, onChoose, onMove, onView });
    this.panels = layout.panels;
    this.bands = svg('g', { class: 'bands' });
    this.needle = svg('g', { class: 'needle' });
    this.element = svg('svg', {
      class: `trees${layout.turned ? ' turned' : ''}`, role: 'group',
      'aria-label': 'Drawing of the trees. Arrow keys go from node to node, Enter selects or unfolds.',
    }, this.bands, this._ruler(), this.panels.map((panel, number) => this._panel(panel, number)), this.needle);
    const first = this.element.querySelector('.node');
    if (first) first.setAttribute('tabindex', '0');
    this.element.addEventListener('keydown', (event) => this._key(event));
    this._pointers();
  }

  _ruler() {
    const { scale } = this.layout;
    if (!scale) return null;
    const { unit } = this.axis;
    const y = this.panels[0].zone + 6;
    const x = (value) => this.layout.point(scale.at(value), 0)[0];
    const widest = textWidth(`${scale.parts.at(-1).to.toFixed(2)}${unit}`, this.layout.fonts.small);
    const rough = Math.max(scale.long / MOST_TICKS, Math.max(45, widest + 6) / scale.ratio, 1e-6);
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((digit) => digit * power).find((size) => size >= rough * 0.999);
    const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    const marks = [];
    for (const { from, to, isCut } of scale.parts) {
      marks.push(svg('line', { class: isCut ? 'cut' : null, x1: x(from), x2: x(to), y1: y - 4, y2: y - 4 }));
      if (isCut) continue;
      const first = Math.ceil(from / step - 1e-9);
      for (let tick = first; tick <= first + MOST_TICKS && tick * step <= to + step * 1e-9; tick++) {
        const at = x(Math.min(to, tick * step));
        marks.push(svg('line', { x1: at, x2: at, y1: y - 4, y2: y }));
        marks.push(svg('text', { x: at, y: y + 11, 'text-anchor': 'middle' }, `${Number((tick * step).toFixed(digits))}${unit}`));
      }
    }
    return svg('g', { class: 'ruler' }, marks);
  }

  _panel(panel, number) {
    const { tree, hidden, captionAt } = panel;
    const order = tree.labels.map((_, node) => node).filter((node) => !hidden[node]);
    // Crossing branches: higher branches are drawn over lower branches.
    if (tree.hasGaps) order.sort((a, b) => panel.heights[a] - panel.heights[b]);
    const lines = order.flatMap((node) => {
      const path = this._branches(panel, node);
      if (!path) return [];
      return [tree.hasGaps && svg('path', { class: 'halo', d: path }), svg('path', { class: 'edge', d: path })];
    });
    panel.elements = panel.boxes.map((_, node) => (hidden[node] ? null : this._node(panel, number, node)));
    return svg('g', { class: 'panel' }, lines, panel.showsWords && this._words(panel, number), panel.elements,
      svg('text', { class: 'caption', x: captionAt.x + 2, y: captionAt.y + 12, direction: 'ltr' }, panel.caption));
  }

  /** The lines from a node to its children and its own words. */
  _branches(panel, node) {
    const { tree, hidden, us, vs, edges } = panel;
    const below = tree.children[node].filter((child) => !hidden[child]).map((child) => [us[child], vs[child][1]]);
    const bare = panel.folds.has(node) || tree.isPreterminal[node] ? []
      : tree.leafNodes.flatMap((parent, leaf) => (parent === node ? [[(edges[leaf][0] + edges[leaf][1]) / 2, panel.base]] : []));
    const ends = [...below, ...bare];
    if (!ends.length) return '';
    const { layout } = this;
    const bus = layout.bus(panel, node);
    const line = (...places) => places.map(([u, v], place) => `${place ? 'L' : 'M'}${layout.point(u, v).map((at) => Number(at.toFixed(1))).join(' ')}`).join('');
    const all = [us[node], ...ends.map(([u]) => u)];
    return [
      line([us[node], vs[node][0]], [us[node], bus]),
      Math.max(...all) > Math.min(...all) ? line([Math.min(...all), bus], [Math.max(...all), bus]) : '',
      ...ends.map(([u, v]) => line([u, bus], [u, v])),
    ].join('');
  }

  _words(panel, number) {
    const { layout } = this;
    return panel.cells.map(({ first, last, lines }) => {
      const from = panel.edges[first][0], to = panel.edges[last - 1][1];
      const shownLines = layout.scale ? lines.map((line) => fitting(line, layout.fonts.word, Math.max(8, to - from))) : lines;
      const full = panel.tree.words.slice(first, last).join(' ');
      const [x, y] = layout.point((from + to) / 2, panel.wordsAt + panel.zone / 2);
      const top = y - ((shownLines.length - 1) * LINE) / 2 + 5;
      return svg('text', {
        class: number > 1 || (number && panel.showsWords) ? 'word again' : 'word', 'text-anchor': 'middle',
        direction: RIGHT_TO_LEFT.test(full) ? 'rtl' : 'ltr',
      }, shownLines.join(' ') !== full && svg('title', {}, full),
      shownLines.length === 1 ? null : shownLines.map((line, place) => svg('tspan', { x, y: top + place * LINE }, line)),
      shownLines.length === 1 ? svg('tspan', { x, y: top }, shownLines[0]) : null);
    });
  }

  _node(panel, side, node) {
    const box = panel.boxes[node];
    const { x, y, width, height } = this.layout.box(panel, node);
    const isFolded = panel.folds.has(node);
    const start = x + (width - box.width) / 2, middle = y + height / 2;
    return svg('g', {
      class: `node ${box.kind}${panel.tree.isPreterminal[node] ? ' preterminal' : ''}${isFolded ? ' folded' : ''}`,
      'data-side': side, 'data-node': node, 'data-text': boxText(box.parts),
      tabindex: '-1', role: 'button', 'aria-label': this.describe(side, node),
      onpointerenter: () => this.onHover(side, node), onpointerleave: () => this.onLeave(),
      onfocus: () => this.onHover(side, node), onblur: () => this.onLeave(),
    },
    isFolded && svg('rect', { class: 'under', x: x + 2.5, y: y + (panel.out < 0 ? -2.5 : 2.5), width: width - 5, height, rx: 5 }),
    svg('rect', { x, y, width, height, rx: 5 }),
    box.parts.map((part) => (part.sign
      ? svg('path', { class: 'sign', d: SIGNS[part.sign], transform: `translate(${start + part.at + SIGN_WIDTH / 2 - 1} ${middle})` })
      : svg('text', { x: start + part.at, y: middle + 4.6, direction: 'ltr' }, part.shown))));
  }

  // ---- what is marked

  /** Mark nodes, [[side, node]], and the words under them; none with an empty list. */
  highlight(nodes) {
    for (const element of this.element.querySelectorAll('.node.lit')) element.classList.remove('lit');
    const bands = nodes.flatMap(([side, node], number) => {
      const panel = this.panels[side];
      this.visible(side, node)?.classList.add('lit');
      const across = panel.out < 0 ? [panel.far, panel.wordsAt + panel.zone] : [panel.wordsAt, panel.far];
      return panel.spans[node].map(([from, to]) => svg('rect', {
        class: number ? 'band other' : 'band', ...this.layout.rectangle([from, Math.max(from + 2, to)], across),
      }));
    });
    this.bands.replaceChildren(...bands.slice(0, 60));
  }

  /** The element of a node, or of the folded node that contains it. */
  visible(side, node) {
    const panel = this.panels[side];
    let shown = node;
    while (panel.hidden[shown]) shown = panel.tree.parents[shown];
    return panel.elements[shown];
  }

  /** Mark a position on the axis with a scale. */
  setNeedle(value) {
    const { scale } = this.layout;
    if (value === null || !scale) return this.needle.replaceChildren();
    const [x] = this.layout.point(scale.at(value), 0);
    const { y, height } = this.layout.bounds;
    return this.needle.replaceChildren(svg('line', { x1: x, x2: x, y1: y, y2: y + height }));
  }

  // ---- what is in view

  get room() {
    const { clientWidth, clientHeight } = this.element.parentElement ?? document.documentElement;
    return { width: Math.max(1, clientWidth), height: Math.max(1, clientHeight) };
  }

  /** Show the part of the drawing around a point in the middle. */
  setView(x, y, zoom) {
    const { width, height } = this.room;
    this.zoom = Math.min(MOST_ZOOM, Math.max(LEAST_ZOOM, zoom));
    this.centre = [x, y];
    this.element.setAttribute('viewBox', [x - width / this.zoom / 2, y - height / this.zoom / 2, width / this.zoom, height / this.zoom]
      .map((number) => number.toFixed(2)).join(' '));
    this.onView();
  }

  /** The whole drawing, at the size of its element, for print. */
  showAll() {
    const { x, y, width, height } = this.layout.bounds;
    this.element.setAttribute('viewBox', [x, y, width, height].join(' '));
  }

  /** The whole drawing; with `isReadable`, a part around these nodes if the text would be too small. */
  fit(isReadable, nodes = []) {
    const { x, y, width, height } = this.layout.bounds;
    const whole = fittingZoom(this.layout, this.room);
    const zoom = isReadable ? Math.max(whole, READABLE) : whole;
    const [first] = nodes;
    const [wide, high] = [this.room.width / zoom, this.room.height / zoom];
    let middle = [x + width / 2, y + height / 2];
    if (zoom > whole) {
      const box = first ? this._boxOf(...first) : { x: this.layout.turned ? 0 : x, y: 0, width: 0, height: 0 };
      const within = (at, start, size, seen) => (size <= seen ? start + size / 2 : Math.min(start + size - seen / 2, Math.max(start + seen / 2, at)));
      middle = [within(box.x + box.width / 2, x, width, wide), within(box.y + box.height / 2, y, height, high)];
    }
    this.setView(...middle, zoom);
  }

  _boxOf(side, node) {
    const panel = this.panels[side];
    let shown = node;
    while (panel.hidden[shown]) shown = panel.tree.parents[shown];
    return this.layout.box(panel, shown);
  }

  /** Zoom around a point of the element, by default its middle. */
  zoomBy(factor, at = null) {
    const { width, height } = this.room;
    const zoom = Math.min(MOST_ZOOM, Math.max(LEAST_ZOOM, this.zoom * factor));
    const [dx, dy] = at ? [at[0] - width / 2, at[1] - height / 2] : [0, 0];
    const [x, y] = this.centre;
    this.setView(x + dx / this.zoom - dx / zoom, y + dy / this.zoom - dy / zoom, zoom);
  }

  moveBy(dx, dy) {
    const { x, y, width, height } = this.layout.bounds;
    const within = (at, start, size) => Math.min(start + size, Math.max(start, at));
    this.setView(within(this.centre[0] - dx / this.zoom, x, width), within(this.centre[1] - dy / this.zoom, y, height), this.zoom);
  }

  /** Move so that these nodes are in view, as far as they fit. */
  show(nodes) {
    const { width, height } = this.room;
    for (const [side, node] of nodes.toReversed()) {
      const box = this._boxOf(side, node);
      const [wide, high] = [width / this.zoom, height / this.zoom];
      const shift = (at, start, size, seen) => {
        const [low, high_] = [start - 12, start + size + 12];
        if (low < at - seen / 2) return low - (at - seen / 2);
        return high_ > at + seen / 2 ? high_ - (at + seen / 2) : 0;
      };
      const [dx, dy] = [shift(this.centre[0], box.x, box.width, wide), shift(this.centre[1], box.y, box.height, high)];
      if (dx || dy) this.setView(this.centre[0] + dx, this.centre[1] + dy, this.zoom);
    }
  }

  /** The wheel and two fingers zoom, dragging moves, a click chooses a node. */
  _pointers() {
    const { element } = this;
    const pointers = new Map();
    let moved = 0;
    const place = (event) => {
      const { left, top } = element.getBoundingClientRect();
      return [event.clientX - left, event.clientY - top];
    };
    element.addEventListener('wheel', (event) => {
      event.preventDefault();
      const pixels = event.deltaY * (event.deltaMode ? 20 : 1);
      this.zoomBy(Math.exp(-Math.max(-200, Math.min(200, pixels)) / 400), place(event));
      this.onMove();
    }, { passive: false });
    element.addEventListener('pointerdown', (event) => {
      if (event.button > 0) return;
      pointers.set(event.pointerId, place(event));
      if (pointers.size === 1) moved = 0;
    });
    element.addEventListener('pointermove', (event) => {
      const before = pointers.get(event.pointerId);
      if (!before) return;
      const now = place(event);
      const [dx, dy] = [now[0] - before[0], now[1] - before[1]];
      moved += Math.abs(dx) + Math.abs(dy);
      if (moved < 4) return;
      if (!element.hasPointerCapture(event.pointerId)) element.setPointerCapture(event.pointerId);
      element.classList.add('dragged');
      if (pointers.size === 2) {
        const [other] = [...pointers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
        const far = (a) => Math.hypot(a[0] - other[0], a[1] - other[1]) || 1;
        this.zoomBy(far(now) / far(before), other);
      } else this.moveBy(dx, dy);
      pointers.set(event.pointerId, now);
      this.onMove();
    });
    const release = (event) => {
      pointers.delete(event.pointerId);
      element.classList.remove('dragged');
    };
    element.addEventListener('pointerup', release);
    element.addEventListener('pointercancel', release);
    element.addEventListener('click', (event) => {
      if (moved >= 4) return;
      const node = event.target.closest?.('.node');
      if (node) this._step(node, node);
      this.onChoose(...(node ? [Number(node.dataset.side), Number(node.dataset.node)] : [null, null]));
    });
  }

  // ---- keys

  _key(event) {
    const from = event.target.closest?.('.node');
    if (!from || event.ctrlKey || event.metaKey || event.altKey) return;
    const side = Number(from.dataset.side), node = Number(from.dataset.node);
    const to = this._neighbour(side, node, event.key);
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (to === 'choose') this.onChoose(side, node);
    else if (to !== null) {
      this._step(from, this.panels[to[0]].elements[to[1]]);
      this.show([to]);
    }
  }

  /** The node that an arrow key leads to, null if there is none; undefined for other keys. */
  _neighbour(side, node, key) {
    if (key === 'Enter' || key === ' ') return 'choose';
    const { turned, leftwards } = this.layout;
    const along = turned ? { ArrowUp: -1, ArrowDown: 1 } : { ArrowLeft: leftwards ? 1 : -1, ArrowRight: leftwards ? -1 : 1 };
    const across = turned ? { ArrowLeft: -1, ArrowRight: 1 } : { ArrowUp: -1, ArrowDown: 1 };
    const { tree, hidden, out } = this.panels[side];
    if (along[key]) {
      let next = node + along[key];
      while (next >= 0 && next < tree.size && hidden[next]) next += along[key];
      return next >= 0 && next < tree.size ? [side, next] : null;
    }
    if (!across[key]) return undefined;
    if (across[key] === out) return tree.parents[node] >= 0 ? [side, tree.parents[node]] : null;
    const child = tree.children[node].find((below) => !hidden[below]);
    if (child !== undefined) return [side, child];
    const other = side === 0 ? 1 : 0;  // over the words, to the same word of the next tree
    const panel = this.panels[other];
    let below = panel?.tree.leafNodes[tree.firsts[node]] ?? -1;
    while (below >= 0 && panel.hidden[below]) below = panel.tree.parents[below];
    return below >= 0 ? [other, below] : null;
  }

  _step(from, element) {
    for (const stop of this.element.querySelectorAll('.node[tabindex="0"]')) stop.setAttribute('tabindex', '-1');
    from.setAttribute('tabindex', '-1');
    element.setAttribute('tabindex', '0');
    element.focus({ preventScroll: true });
  }
}
