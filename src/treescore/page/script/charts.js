// Plots as SVG from precomputed numbers. Every bar and point can be clicked.

const WIDE = 340, HIGH = 210, LEFT = 40, RIGHT = 8, TOP = 24, BOTTOM = 42;

/** Round numbers from 0 to at least the largest value. */
function niceTicks(most, count = 4) {
  const rough = Math.max(most, 1e-9) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((digit) => digit * power).find((size) => size >= rough * 0.999);
  const ticks = [];
  for (let tick = 0; tick < most + step * 0.999; tick += step) ticks.push(Number(tick.toPrecision(12)));
  return ticks;
}

class Frame {
  constructor(name, { x, y, high = HIGH }) {
    this.x = x;
    this.y = y;
    this.high = high;
    this.marks = [];
    this.name = name;
  }

  static scale(from, to, low, high) {
    return (value) => low + ((value - from) / (to - from || 1)) * (high - low);
  }

  axes({ xTicks, yTicks, xTitle, yTitle, yText = String }) {
    const bottom = this.high - BOTTOM;
    for (const tick of yTicks) {
      const y = this.y(tick);
      this.marks.push(svg('line', { class: 'grid', x1: LEFT, x2: WIDE - RIGHT, y1: y, y2: y }));
      this.marks.push(svg('text', { class: 'tick', x: LEFT - 6, y: y + 4, 'text-anchor': 'end' }, yText(tick)));
    }
    for (const [value, text] of xTicks) {
      this.marks.push(svg('text', { class: 'tick', x: this.x(value), y: bottom + 16, 'text-anchor': 'middle' }, text));
    }
    this.marks.push(svg('line', { class: 'axis', x1: LEFT, x2: WIDE - RIGHT, y1: bottom, y2: bottom }));
    this.marks.push(svg('text', { class: 'tick', x: (LEFT + WIDE - RIGHT) / 2, y: bottom + 34, 'text-anchor': 'middle' }, xTitle));
    if (yTitle) this.marks.push(svg('text', { class: 'tick', x: LEFT - 38, y: TOP - 13, 'text-anchor': 'start' }, yTitle));
  }

  picture() {
    roving(this.marks.filter((mark) => mark.getAttribute('role') === 'button'), { sideways: true });
    return svg('svg', { class: 'chart', viewBox: `0 0 ${WIDE} ${this.high}`, role: 'group', 'aria-label': this.name }, this.marks);
  }
}

/** Make a mark clickable, also by Enter. */
function clickable(element, label, action) {
  element.setAttribute('role', 'button');
  element.setAttribute('tabindex', '0');
  element.setAttribute('aria-label', label);
  element.append(svg('title', {}, label));
  element.addEventListener('click', action);
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    action();
  });
  return element;
}

const rounded = (value) => Number(value.toFixed(2));

/** Bars of several systems side by side: groups are [{ title, values, label(system), action(system) }]. */
function bars(name, groups, { yTitle, xTitle, most, yText, sparse }) {
  const ticks = niceTicks(most ?? Math.max(1, ...groups.flatMap((group) => group.values.map((value) => value ?? 0))));
  const band = (WIDE - LEFT - RIGHT) / Math.max(1, groups.length);
  const frame = new Frame(name, {
    x: (place) => LEFT + band * place,
    y: Frame.scale(0, ticks.at(-1), HIGH - BOTTOM, TOP),
  });
  const every = Math.ceil(groups.length / (sparse ?? 10));
  frame.axes({
    xTicks: groups.flatMap((group, place) => (place % every ? [] : [[group.edge ? place : place + 0.5, group.title]])),
    yTicks: ticks, xTitle, yTitle, yText,
  });
  groups.forEach((group, place) => {
    const room = band * 0.86, width = room / group.values.length;
    group.values.forEach((value, system) => {
      if (value === null) return;
      const y = frame.y(value), bottom = HIGH - BOTTOM;
      const x = frame.x(place) + band * 0.07 + width * system;
      const bar = svg('g', { class: `bar s${system % 6}` },
        svg('rect', { class: 'catch', x, y: TOP, width, height: bottom - TOP }),
        svg('rect', { class: 'ink', x, y: value > 0 ? Math.min(y, bottom - 1) : bottom, width: Math.max(1, width - 1), height: value > 0 ? Math.max(1, bottom - y) : 0 }));
      frame.marks.push(clickable(bar, group.label(system), () => group.action(system)));
    });
  });
  return frame.picture();
}

/** Lines over numbers: series are [{ kind, system, points: [[x, y]] }]. */
function curves(name, series, { xTitle, yTitle, label }) {
  const xs = series.flatMap((line) => line.points.map(([x]) => x));
  const ys = series.flatMap((line) => line.points.map(([, y]) => y));
  const low = Math.max(0, Math.floor(Math.min(...ys) / 5 - 0.2) * 5), high = Math.min(100, Math.ceil(Math.max(...ys) / 5 + 0.2) * 5);
  const frame = new Frame(name, {
    x: Frame.scale(Math.min(...xs), Math.max(...xs), LEFT + 8, WIDE - RIGHT - 8),
    y: Frame.scale(low, high, HIGH - BOTTOM, TOP),
  });
  const yTicks = niceTicks(high - low).map((tick) => rounded(tick + low)).filter((tick) => tick <= high);
  const xTicks = niceTicks(Math.max(...xs), 5).filter((x) => x >= Math.min(...xs) && x <= Math.max(...xs));
  frame.axes({ xTicks: xTicks.map((x) => [x, String(x)]), yTicks, xTitle, yTitle });
  for (const { kind, system, points } of series) {
    const path = points.map(([x, y], place) => `${place ? 'L' : 'M'}${frame.x(x).toFixed(1)} ${frame.y(y).toFixed(1)}`).join('');
    frame.marks.push(svg('path', { class: `curve ${kind} s${system % 6}`, d: path }));
    for (const [x, y] of points) {
      frame.marks.push(svg('circle', { class: `dot ${kind} s${system % 6}`, cx: frame.x(x), cy: frame.y(y), r: 2.5 },
        svg('title', {}, label(kind, system, x, y))));
    }
  }
  return frame.picture();
}

/** Two systems against each other, sentence by sentence, in squares of 2.5 points. */
function scatter(name, pairs, { xTitle, yTitle, kinds, action }) {
  const size = 40;
  const cells = new Map();
  for (const [x, y] of pairs) {
    const key = Math.min(size - 1, Math.floor(x * size + 1e-9)) * size + Math.min(size - 1, Math.floor(y * size + 1e-9));
    cells.set(key, (cells.get(key) ?? 0) + 1);
  }
  const most = Math.max(1, ...cells.values());
  const high = 320;
  const frame = new Frame(name, {
    x: Frame.scale(0, 100, LEFT, WIDE - RIGHT), y: Frame.scale(0, 100, high - BOTTOM, TOP), high,
  });
  const ticks = [0, 20, 40, 60, 80, 100];
  frame.axes({ xTicks: ticks.map((tick) => [tick, String(tick)]), yTicks: ticks, xTitle, yTitle });
  frame.marks.push(svg('line', { class: 'axis', x1: frame.x(0), y1: frame.y(0), x2: frame.x(100), y2: frame.y(100) }));
  const side = 100 / size;
  for (const [key, count] of [...cells].sort((a, b) => a[0] - b[0])) {
    const x = Math.floor(key / size) * side, y = (key % size) * side;
    const circle = svg('circle', {
      class: `spot ${x > y ? `s${kinds[0] % 6}` : x < y ? `s${kinds[1] % 6}` : 'even'}`, cx: frame.x(x + side / 2), cy: frame.y(y + side / 2),
      r: 2.2 + 5.5 * Math.sqrt(count / most),
    });
    const label = `${xTitle} ${x}–${x + side}, ${yTitle} ${y}–${y + side}: ${counted(count, 'sentence')}`;
    frame.marks.push(clickable(circle, label, () => action([x, x + side], [y, y + side])));
  }
  return frame.picture();
}

/** One bar in parts that can be clicked: [{ title, count, kind, action }]. */
function shares(name, parts) {
  const all = parts.reduce((sum, part) => sum + part.count, 0) || 1;
  return h('div', { class: 'shares', role: 'group', 'aria-label': name }, parts.filter((part) => part.count).map((part) => {
    const button = h('button', { type: 'button', class: part.kind, onclick: part.action, title: `${part.title}: ${part.count}` },
      h('bdi', {}, part.title), ` ${part.count.toLocaleString('en')}`);
    button.style.flexGrow = String(Math.max(part.count / all, 0.12));
    return button;
  }));
}

/** A scale for differences with intervals: from the lowest to the highest end, with 0 and round ticks. */
function forestScale(rows) {
  const ends = rows.flatMap(({ value, low, high }) => [value, low, high]).filter((end) => end !== null);
  const least = Math.min(0, ...ends), most = Math.max(0, ...ends);
  const room = Math.max(most - least, 1e-6);
  const [step] = niceTicks(room, 4).slice(1);
  const ticks = [];
  for (let tick = Math.ceil(least / step - 1e-9) * step; tick <= most + step * 1e-9; tick += step) ticks.push(Number(tick.toPrecision(12)) || 0);
  const place = (value) => `${(5 + (90 * (value - least)) / room).toFixed(2)}%`;
  return { place, ticks };
}

/** A difference as a point and its interval as a line, on a scale with a line at 0. */
function forestCell({ place, ticks }, { value, low, high, kind }) {
  const marks = ticks.map((tick) => svg('line', { class: tick === 0 ? 'zero' : 'grid', x1: place(tick), x2: place(tick), y1: 0, y2: '100%' }));
  if (low !== null && high !== null) marks.push(svg('line', { class: 'whisker', x1: place(low), x2: place(high), y1: '50%', y2: '50%' }));
  if (value !== null) marks.push(svg('circle', { class: 'point', cx: place(value), cy: '50%', r: 4.5 }));
  return h('td', { class: 'forest' }, svg('svg', { class: kind, 'aria-hidden': 'true' }, marks));
}

/** The axis below a forest plot. */
function forestAxis({ place, ticks }, text) {
  return svg('svg', { class: 'forest-axis', 'aria-hidden': 'true' },
    ticks.map((tick, number) => svg('text', {
      class: number > 0 && number < ticks.length - 1 && 'inner', x: place(tick), y: 12, 'text-anchor': 'middle',
    }, text(tick))));
}

/** The system that a difference favours, or neither if its interval contains 0. */
const favoured = (low, high, [first, second]) => (low > 0 ? `s${first % 6}` : high < 0 ? `s${second % 6}` : 'even');

/** Rows of differences with a forest plot: [{ title, value, low, high, action }]; `pair` has the systems of each. */
function forestTable(caption, rows, { text, columns }) {
  const scale = forestScale(rows);
  const body = rows.map((row) => h('tr', {},
    h('th', { scope: 'row' }, row.action ? h('button', { type: 'button', class: 'plain-button', onclick: row.action, title: 'show the sentences' }, input(row.title)) : input(row.title)),
    forestCell(scale, { ...row, kind: favoured(row.low, row.high, row.pair) }),
    h('td', { class: 'number' }, row.value === null ? '–' : text(row.value)),
    h('td', { class: 'number interval' }, row.low === null ? '' : `${text(row.low)} to ${text(row.high)}`)));
  roving(body.flatMap((row) => [...row.querySelectorAll('button')]));
  return h('table', { class: 'plain explained' },
    h('caption', {}, caption),
    h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, columns[0]), h('td', {}), h('th', { scope: 'col', class: 'number' }, columns[1]), h('th', { scope: 'col', class: 'number' }, '95 % interval'))),
    h('tbody', {}, body),
    h('tfoot', {}, h('tr', {}, h('td', {}), h('td', { class: 'forest' }, forestAxis(scale, text)), h('td', { colspan: 2 }))));
}

/** Draw the forest plots above the tables of differences, which are also there without a script. */
function renderForests(data) {
  for (const table of document.querySelectorAll('table.differences')) {
    const rows = data.main.differences[Number(table.dataset.metric)].map((row) => ({
      ...row, title: row.pair.map((system) => data.short[system]).join(' − '),
    }));
    const { caption } = table;
    table.before(forestTable([...caption.childNodes], rows, { text: signed, columns: ['pair', 'difference'] }));
    caption.remove();
    for (const row of table.rows) for (const cell of [row.cells[2], row.cells[1]]) cell.remove();  // the forest plot has them
  }
}

/** All plots for the chosen metric. */
class Charts {
  constructor(data, app) {
    this.data = data;
    this.app = app;
    this.pair = null;  // the two systems that are compared, once somebody has chosen them
  }

  render() {
    const { data, app } = this;
    const plots = data.main.plots[app.state.metric];
    const cards = [this._histogram(plots), this._lengths(plots), this._levels(plots), this._systems()];
    byId('charts').replaceChildren(...cards.filter(Boolean));
  }

  _card(title, note, ...content) {
    return h('section', { class: 'card' }, h('h3', {}, title), content, note && h('p', { class: 'note' }, note));
  }

  /** The legend of systems, if there are several. */
  _key() {
    const { systems } = this.data.main;
    return systems.length > 1 && h('p', { class: 'series' }, systems.map((system, number) => h('span', { class: `series-key s${number % 6}`, title: system.name }, input(this.data.short[number]))));
  }

  _filter(system, key, part) {
    const { app } = this;
    app.set({ system, query: withPart(app.state.query, key, part) }, true);
  }

  _named(system) {
    return this.data.main.systems.length > 1 ? `${this.data.main.systems[system].name}, ` : '';
  }

  _histogram({ histogram }) {
    if (!histogram) return null;
    const { edges, counts } = histogram;
    const groups = counts[0].map((_, place) => {
      const range = [edges[place], edges[place + 1]].map(rounded);
      const isLast = place === counts[0].length - 1;
      return {
        title: String(range[0]), edge: true, values: counts.map((bins) => bins[place]),
        label: (system) => `${this._named(system)}score ${range[0]} to ${range[1]}: ${counted(counts[system][place], 'sentence')}; show`,
        action: (system) => this._filter(system, 'score', `score>=${range[0]}${isLast ? '' : ` score<${range[1]}`}`),
      };
    });
    return this._card('Scores of sentences', 'Each bar begins at its number; the last includes 100. Click a bar to see its sentences.',
      this._key(), bars('Histogram of the scores of sentences', groups, { xTitle: 'score of the sentence', yTitle: 'sentences' }));
  }

  _lengths({ byLength }) {
    if (!byLength?.length) return null;
    const groups = byLength.map(({ from, to, sentences, values }) => ({
      title: `${from}–${to}`, values: values.map((value) => (value === null ? null : 100 * value)),
      label: (system) => `${this._named(system)}${from} to ${to} words: ${percent(values[system])}, ${counted(sentences[system], 'sentence')}; show`,
      action: (system) => this._filter(system, 'length', `length:${from}-${to}`),
    }));
    return this._card('Score by length', 'Corpus level of the sentences of each length.', this._key(),
      bars('Score by length of the sentence', groups, { xTitle: 'words in the sentence', yTitle: 'score', most: 100, sparse: 6 }));
  }

  _levels({ levels }) {
    if (!levels) return null;
    const series = levels.flatMap(({ corpus, sentence }, system) => [
      { kind: 'corpus', system, points: corpus.map(([x, y]) => [x, 100 * y]) },
      { kind: 'mean', system, points: sentence.map(([x, y]) => [x, 100 * y]) },
    ]).filter((line) => line.points.length > 1);
    if (!series.length) return null;
    const kinds = { corpus: 'corpus level', mean: 'mean of sentences' };
    return this._card('Corpus level and mean of sentences', 'Scores of sentences up to a maximum length: solid, corpus level; dashed, mean of sentences.',
      this._key(), curves('Corpus level and mean of sentences, by maximum length', series, {
        xTitle: 'maximum length in words', yTitle: 'score',
        label: (kind, system, x, y) => `${this._named(system)}${kinds[kind]}, up to ${x} words: ${y.toFixed(2)}`,
      }));
  }

  /** The two systems that are compared. */
  get compared() {
    const { system } = this.app.state;
    return this.pair ?? [system, system === 0 ? 1 : 0];
  }

  _systems() {
    const { data, app } = this;
    const { systems } = data.main;
    if (systems.length < 2) return null;
    const [a, b] = this.compared;
    const pairs = [];
    let [better, worse, equal, unknown] = [0, 0, 0, 0];
    for (let index = 0; index < data.count; index++) {
      const [x, y] = [data.score(a, app.state.metric, index), data.score(b, app.state.metric, index)];
      if (x === null || y === null) { unknown++; continue; }
      pairs.push([x, y]);
      if (x === y) equal++;
      else if (x > y) better++;
      else worse++;
    }
    const [nameA, nameB] = [data.short[a], data.short[b]];
    const [keyA, keyB] = [a, b].map((system) => `score@${system + 1}`);
    const filter = (part) => app.set({ query: withPart(app.state.query, 'score@', part) }, true);
    const compare = (operator) => () => filter(`${keyA}${operator}${keyB}`);
    return this._card('Which system is better where?', unknown ? `${counted(unknown, 'sentence')} without a score of both.` : null,
      systems.length > 2 && this._pairChoice([a, b]),
      shares('Sentences on which each system is better', [
        { title: `${nameA} better`, count: better, kind: `s${a % 6}`, action: compare('>') },
        { title: 'equal', count: equal, kind: 'even', action: compare('=') },
        { title: `${nameB} better`, count: worse, kind: `s${b % 6}`, action: compare('<') },
      ]),
      scatter(`Scores of sentences of ${nameA} and ${nameB}`, pairs, {
        xTitle: nameA, yTitle: nameB, kinds: [a, b],
        action: (...ranges) => filter(ranges.flatMap(([low, high], place) => {
          const key = [keyA, keyB][place];
          return [`${key}>=${low}`, ...(high < 100 ? [`${key}<${high}`] : [])];
        }).join(' ')),
      }));
  }

  /** Selection of the two systems to compare. */
  _pairChoice(pair) {
    const { systems } = this.data.main;
    const selects = pair.map((chosen, place) => h('select', {
      id: `compared-${place + 1}`, 'aria-label': `${place ? 'second' : 'first'} system`,
      onchange: ({ target }) => {
        const next = pair.map((system, other) => (other === place ? Number(target.value) : system));
        this.pair = next[0] === next[1] ? [pair[1], pair[0]] : next;
        target.closest('.card').replaceWith(this._systems());
        renderExplained(this.data, this.app);
        byId(target.id).focus();
      },
    }, systems.map((system, number) => h('option', { value: number, selected: number === chosen }, system.name))));
    return h('p', { class: 'compared' }, selects[0], ' and ', selects[1]);
  }
}
