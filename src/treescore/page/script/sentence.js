// The view of a sentence: trees, drawn or as text, and losses.

/** Maximum number of nodes in drawings and lists, and of listed losses. */
const MOST_DRAWN = 1500, MOST_LISTED = 3000, MOST_LOSSES = 200;

class SentenceView {
  constructor(data, app) {
    this.data = data;
    this.app = app;
    this.root = byId('sentence');
    this.drawing = null;
    this.requests = 0;
  }

  get names() {
    return this.data.main.systems.map((system) => system.name);
  }

  /** Show a sentence with the systems and metric of `app.state`. */
  async show(index) {
    const request = ++this.requests;
    this.index = index;
    const [record, completions] = await Promise.all([this.data.trees(index), this.data.completions(index)]);
    if (request !== this.requests) return;  // another sentence was opened meanwhile
    this.record = record;
    this.completions = completions;
    this.render();
  }

  render() {
    const { index, data, app } = this;
    const name = data.ids ? [`Sentence ${index + 1} · `, input(data.ids[index])] : [`Sentence ${index + 1}`];
    byId('sentence-title').replaceChildren(...name);
    document.title = `${data.ids ? data.ids[index] : `Sentence ${index + 1}`} – ${data.main.title}`;
    const order = app.list.order, place = order.indexOf(index);
    byId('sentence-place').textContent = place < 0 ? 'not in the list'
      : `${(place + 1).toLocaleString('en')} of ${order.length.toLocaleString('en')} in the list`;
    byId('previous').disabled = app.neighbour(-1) === null;
    byId('next').disabled = app.neighbour(1) === null;
    byId('sentence-text').textContent = shortened(data.text(index), 4000);
    this._scores();
    this._problems();
    this._trees();
    this._completions();
  }

  _scores() {
    const { data, index, app } = this;
    const { metrics } = data.main;
    const head = h('tr', {}, h('th', { scope: 'col' }, 'system'), metrics.map((metric, number) => h('th', {
      scope: 'col', class: number === app.state.metric ? 'number chosen' : 'number',
    }, metric.title)));
    const rows = this.names.map((name, system) => h('tr', {}, h('th', { scope: 'row' }, input(name)),
      metrics.map((metric, number) => h('td', { class: number === app.state.metric ? 'number chosen' : 'number' },
        percent(data.score(system, number, index))))));
    const classes = data.classes.flatMap((sets, system) => (sets?.lists[index] ? [h('p', { class: 'note' },
      'Errors of ', input(this.names[system]), ': ',
      [...new Set(sets.lists[index])].map((number, place) => [place ? ', ' : '', data.main.classes.names[number]]))] : []));
    byId('sentence-scores').replaceChildren(
      h('table', { class: 'plain' }, h('caption', { class: 'hidden' }, 'Scores of this sentence'),
        h('thead', {}, head), h('tbody', {}, rows)), ...classes);
  }

  _problems() {
    const problems = this.data.problems.get(this.index) ?? [];
    byId('sentence-problems').replaceChildren(...problems.map((problem) => h('p', { class: 'problem' },
      h('span', { 'aria-hidden': 'true' }, '⚠ '), input(problem.text))));
  }

  /** What language models printed, below the trees. */
  _completions() {
    byId('completions').replaceChildren(...this.completions.flatMap((completion, system) => (completion === null ? [] : [
      h('details', { open: '' }, h('summary', {}, 'Completion of ', input(this.names[system]), `: ${completion[0]}`),
        h('pre', { class: 'completion', dir: 'auto' }, completion[1]))])));
  }

  /** Gold and the selected systems with trees. */
  _panels() {
    const { record, app, data } = this;
    const { metric } = app.state;
    const shown = app.state.shown.filter((system) => record.tests[system] && record.gold);
    const verdicts = shown.map((system) => record.verdicts[system][metric]);
    const blank = (tree) => tree.labels.map((_, number) => (
      { number, mark: 'plain', partner: null, iou: null, crossing: false, twin: null }));
    const tests = shown.map((system, place) => verdicts[place]?.sides[1] ?? blank(record.tests[system]));
    const golds = verdicts.map((verdict) => verdict?.sides[0] ?? blank(record.gold));
    const colours = this._colours(golds, shown);
    const places = verdicts.length && verdicts.every((verdict) => verdict?.places) ? verdicts.map((verdict) => verdict.places) : null;
    const panels = [{
      name: 'gold', tree: record.gold, nodes: golds, places: places?.[0][0],
      boxes: record.gold.labels.map((label, node) => this._goldBox(label, golds.map((side) => side[node]), shown,
        colours.get(node) ?? null)),
    }];
    shown.forEach((system, place) => panels.push({
      name: this.names[system], tree: record.tests[system], nodes: tests[place], places: places?.[place][1], system,
      boxes: tests[place].map((node) => ({
        kind: node.mark, colour: node.partner === null ? null : colours.get(node.partner) ?? null,
        text: this._label(record.tests[system].labels[node.number], node),
      })),
    }));
    return panels;
  }

  /** Colours of aligned nodes: the k-th of gold takes colour k; pairs of preterminals have none. */
  _colours(golds, shown) {
    const { gold, tests } = this.record;
    const colours = new Map();
    gold.labels.forEach((_, number) => {
      const coloured = golds.some(({ [number]: node }, place) => node.mark === 'aligned'
        && !(gold.isPreterminal[number] && tests[shown[place]].isPreterminal[node.partner]));
      if (coloured) colours.set(number, colours.size % 6);
    });
    return colours;
  }

  _label(label, node) {
    const mark = markText(node);
    return `${mark}${mark ? ' ' : ''}${label}${node.iou !== null && node.iou < 1 ? ` ${shareText(node.iou)}` : ''}`;
  }

  /** The label of a gold node; with several systems, with the outcome of each if they differ. */
  _goldBox(label, verdicts, shown, colour) {
    if (!verdicts.length) return { kind: 'plain', colour: null, text: label };
    const texts = verdicts.map((node) => this._label('', node).trim());
    if (texts.every((text) => text === texts[0])) {
      return { kind: verdicts[0].mark, colour, text: this._label(label, verdicts[0]) };
    }
    const marks = systemMarks(this.data.main.systems);
    const outcomes = texts.flatMap((text, place) => (text ? [`${text}${marks[shown[place]]}`] : []));
    const kind = verdicts.some((node) => node.mark === 'missing') ? 'partly' : 'aligned';
    return { kind, colour, text: `${label} ${outcomes.join(' ')}` };
  }

  _trees() {
    const { record, app } = this;
    const stage = byId('stage');
    this.drawing = null;
    byId('losses').replaceChildren();
    byId('legend').replaceChildren();
    byId('node-note').textContent = '';
    if (record === null || record.gold === null) {
      const reason = record === null
        ? 'The trees of this sentence were left out to limit the size of the page.'
        : 'The trees of this sentence are too large for this page.';
      stage.replaceChildren(h('p', { class: 'note' }, reason));
      return;
    }
    this.panels = this._panels();
    const size = Math.max(...this.panels.map((panel) => panel.tree.size));
    const view = size > MOST_DRAWN ? 'text' : app.state.view ?? (matchMedia('(max-width: 640px)').matches ? 'text' : 'drawing');
    byId('zoom').hidden = view === 'text';
    for (const button of document.querySelectorAll('#view button')) {
      button.setAttribute('aria-pressed', String(button.dataset.view === view));
      button.disabled = button.dataset.view === 'drawing' && size > MOST_DRAWN;
    }
    if (view === 'text') this._text(stage);
    else this._draw(stage);
    this._legend();
    this._losses();
  }

  _draw(stage) {
    this.drawing = new Drawing(this.panels, {
      axis: this.data.main.metrics[this.app.state.metric].axis,
      describe: (side, node) => this._described(side, node),
      onHover: (side, node) => this.light(side, node),
      onLeave: () => this.unlight(),
    });
    stage.replaceChildren(h('div', { class: 'scroller', id: 'scroller' }, this.drawing.element));
    this.setZoom(this.app.state.zoom);
    const scroller = byId('scroller');
    if (this.drawing.leftwards) scroller.scrollLeft = scroller.scrollWidth;
  }

  setZoom(zoom) {
    if (!this.drawing) return;
    const room = byId('scroller').clientWidth;
    const fit = Math.min(1, Math.max(0.8, room / this.drawing.width));
    this.drawing.setZoom(zoom === 'fit' ? fit : zoom === 'all' ? room / this.drawing.width : zoom);
    byId('zoom-now').textContent = `${Math.round(100 * this.drawing.zoom)} %`;
  }

  /** A node and its corresponding nodes: [[side, node]]. */
  _family(side, node) {
    const family = [[side, node]];
    const verdicts = side === 0 ? this.panels[0].nodes.map((outcomes) => outcomes[node]) : [this.panels[side].nodes[node]];
    verdicts.forEach((verdict, place) => {
      const other = verdict.partner ?? verdict.twin;
      if (other !== null) family.push([side === 0 ? place + 1 : 0, other]);
    });
    return family;
  }

  _described(side, node) {
    const panel = this.panels[side];
    const about = `${panel.name}: ${panel.tree.labels[node]} over “${panel.tree.phrase(node)}”`;
    const verdicts = side === 0 ? panel.nodes.map((outcomes) => outcomes[node]) : [panel.nodes[node]];
    if (verdicts.every((verdict) => verdict.mark === 'plain')) return about;
    return `${about}: ${verdicts.map((verdict, place) => {
      const other = this.panels[side === 0 ? place + 1 : 0];
      const partner = verdict.partner ?? verdict.twin;
      const name = side === 0 && verdicts.length > 1 ? `${other.name}: ` : '';
      if (verdict.mark === 'plain') return `${name}not scored`;
      if (partner === null) return `${name}${markWords(verdict)}`;
      const preposition = verdict.mark === 'aligned' ? 'with' : 'beside';
      return `${name}${markWords(verdict)} ${preposition} ${other.tree.labels[partner]} over “${other.tree.phrase(partner)}”`;
    }).join('; ')}`;
  }

  light(side, node) {
    const family = this._family(side, node);
    this.drawing?.highlight(family);
    for (const [place, other] of family) byId(`n-${place}-${other}`)?.classList.add('lit');
    byId('node-note').replaceChildren(input(this._described(side, node)));
  }

  unlight() {
    this.drawing?.highlight([]);
    for (const element of document.querySelectorAll('#stage li.lit')) element.classList.remove('lit');
  }

  /** Indented lists, for narrow screens and screen readers. */
  _text(stage) {
    const lists = this.panels.map((panel, side) => {
      const depth = [];
      const rows = panel.boxes.slice(0, MOST_LISTED).map((box, node) => {
        const parent = panel.tree.parents[node];
        depth[node] = parent < 0 ? 0 : depth[parent] + 1;
        const item = h('li', {
          id: `n-${side}-${node}`,
          class: `${box.kind}${box.colour === null ? '' : ` c${box.colour}`}`,
          onpointerenter: () => this.light(side, node), onpointerleave: () => this.unlight(),
          onfocus: () => this.light(side, node), onblur: () => this.unlight(),
        }, h('span', { class: 'label' }, box.text), ' ',
        h('span', { class: 'words' }, input(panel.tree.phrase(node))),
        h('span', { class: 'hidden' }, ` ${this._marks(side, node)}`));
        item.style.paddingInlineStart = `${0.5 + 0.9 * Math.min(depth[node], 14)}rem`;
        return item;
      });
      const more = panel.boxes.length - rows.length;
      return h('section', { class: 'tree-text', 'aria-label': `Tree of ${panel.name}` },
        h('h3', {}, input(panel.name)), h('ul', { dir: isRightToLeft(panel.tree.words) ? 'rtl' : 'ltr' }, roving(rows)),
        more > 0 && h('p', { class: 'note' }, `and ${counted(more, 'node')} more`));
    });
    stage.replaceChildren(h('div', { class: 'tree-texts' }, lists));
  }

  _marks(side, node) {
    const { nodes } = this.panels[side];
    return (side === 0 ? nodes.map((outcomes) => outcomes[node]) : [nodes[node]]).map(markWords).filter(Boolean).join('; ');
  }

  _legend() {
    const { main } = this.data;
    if (!main.metrics[this.app.state.metric].hasTrees) return;
    const several = this.panels.length > 2;
    const marks = systemMarks(main.systems);
    const first = several && marks[this.panels[1].system];
    byId('legend').replaceChildren(
      ...[['aligned c0', 'NP 0.75', 'aligned: same colour, IoU where it is below 1'], ['missing', '− NP', 'missing: only in gold'],
        ['extra', '+ NP', 'extra: not in gold'], ['missing', '−≠ NP', 'other label over the same words'],
        ['missing', '−× NP', 'crosses a node of the other tree'], ['ignored', 'ROOT', 'not counted']]
        .map(([kind, text, note]) => h('span', { class: 'key' }, h('span', { class: `sample ${kind}` }, text), ` ${note}`)),
      several && h('span', { class: 'key' }, h('span', { class: 'sample partly' }, `NP −${first}`),
        ` in gold: missing in ${first} only`, marks.some((mark, n) => mark !== main.systems[n].name)
          ? ` (${main.systems.map((system, n) => `${marks[n]} is ${system.name}`).join(', ')})` : '') || '');
  }

  /** The losses of each system, the largest first; their sum is the difference of the score from 1. */
  _losses() {
    const { data, record, app } = this;
    const metric = data.main.metrics[app.state.metric];
    if (!metric.hasTrees) {
      byId('losses').replaceChildren(h('p', { class: 'note' }, `No losses by node for this metric: ${metric.title}.`));
      return;
    }
    byId('losses').replaceChildren(...this.panels.slice(1).map((panel, place) => {
      const gold = this.panels[0].nodes[place];
      const losses = lossesOf([record.gold, panel.tree], [gold, panel.nodes], [this.panels[0].places, panel.places]);
      const title = h('h3', {}, 'Losses: ', input(panel.name));
      const score = data.score(panel.system, app.state.metric, this.index);
      if (score === null || losses === null) {
        const reason = score === null ? 'This sentence was not scored.' : 'No node of this sentence counts.';
        return h('section', {}, title, h('p', { class: 'note' }, reason));
      }
      const { sum, half, list } = losses;
      const figures = h('p', {}, `${metric.title} ${percent(score)} = ${tidy(sum)} of ${tidy(half)}: `,
        metric.name === 'parseval' ? 'matched brackets' : 'the sum of IoU',
        `, divided by the mean number of nodes in gold and test (${losses.counts.join(' and ')}). `,
        list.length ? `The loss of ${tidy(half - sum)} is the sum of:` : 'There is no loss.');
      const items = list.slice(0, MOST_LOSSES).map((loss) => h('li', {
        onpointerenter: () => this.light(loss.side === 0 ? 0 : place + 1, loss.node),
        onpointerleave: () => this.unlight(), onblur: () => this.unlight(),
        onfocus: () => this.light(loss.side === 0 ? 0 : place + 1, loss.node),
      }, h('span', { class: 'loss' }, `−${loss.amount.toFixed(2)}`), ' ', loss.words.map((part) => (
        part.input ? input(part.input) : part))));
      const more = list.length - items.length;
      return h('section', {}, title, figures, h('ol', { class: 'losses' }, roving(items)),
        more > 0 && h('p', { class: 'note' }, `and ${more.toLocaleString('en')} more`));
    }));
  }
}

/** A, B, …, Z, AA, … */
const letters = (number) => (number < 26 ? '' : letters(Math.floor(number / 26) - 1)) + String.fromCharCode(65 + (number % 26));

/** Short names of systems in a drawing: names if all are short, else letters that are not names of systems. */
function systemMarks(systems) {
  const names = systems.map((system) => system.name);
  if (names.every((name) => /^\p{L}{1,2}$/u.test(name))) return names;
  const marks = names.map((_, number) => letters(number));
  return marks.some((mark) => names.includes(mark)) ? names.map((_, number) => `#${number + 1}`) : marks;
}

const tidy = (value) => String(Number(value.toFixed(2)));

/**
 * The loss of each node: 1 − IoU for an aligned pair, 0.5 for an unaligned node, 1 for two with the same span.
 * Null if no nodes are counted.
 */
function lossesOf([gold, test], [goldNodes, testNodes], places) {
  const counts = [goldNodes, testNodes].map((side) => side.filter((node) => !['ignored', 'plain'].includes(node.mark)).length);
  if (!counts[0] && !counts[1]) return null;
  let sum = 0;
  const list = [];
  const ends = [gold, test].map((tree, side) => (node) => endsOf(tree, node, places[side]));
  const named = (tree, node) => [`${tree.labels[node]} over “`, { input: tree.phrase(node) }, '”'];
  const crossed = (node, side) => {
    if (!node.crossing) return [];
    const [tree, others] = side ? [gold, goldNodes] : [test, testNodes];
    const other = gold.hasGaps || test.hasGaps ? null : crossedBy(ends[side](node.number), others, ends[1 - side]);
    if (other === null) return ['; it crosses a node of the other tree'];
    return ['; it crosses ', ...named(tree, other), side ? ' of gold' : ' of test'];
  };
  for (const node of goldNodes) {
    if (node.mark === 'aligned') {
      sum += node.iou;
      if (node.iou < 1) {
        list.push({
          amount: 1 - node.iou, side: 0, node: node.number,
          words: [...named(gold, node.number), ' is aligned with ', ...named(test, node.partner), `, IoU ${shareText(node.iou)}`],
        });
      }
    } else if (node.mark === 'missing' && node.twin !== null) {
      const instead = ` is missing, test has ${test.labels[node.twin]} there`;
      list.push({ amount: 1, side: 0, node: node.number, words: [...named(gold, node.number), instead] });
    } else if (node.mark === 'missing') {
      list.push({ amount: 0.5, side: 0, node: node.number, words: [...named(gold, node.number), ' is missing', ...crossed(node, 0)] });
    }
  }
  for (const node of testNodes) {
    if (node.mark !== 'extra' || node.twin !== null) continue;
    list.push({ amount: 0.5, side: 1, node: node.number, words: [...named(test, node.number), ' is extra', ...crossed(node, 1)] });
  }
  for (const loss of list) [loss.start, loss.end] = ends[loss.side](loss.node);
  list.sort((a, b) => b.amount - a.amount || a.start - b.start || b.end - a.end || a.side - b.side);
  return { sum, half: (counts[0] + counts[1]) / 2, counts, list };
}

/** The start and end of a node on the axis. */
function endsOf(tree, node, places) {
  const [first, last] = [tree.firsts[node], tree.lasts[node]];
  if (!places || last <= first) return [first, last];
  const counted = places.slice(first, last).filter(([start, end]) => start < end);
  return counted.length ? [counted[0][0], counted.at(-1)[1]] : [places[first][0], places[first][0]];
}

/** The smallest counted node of the other tree over the start, or else over the end; null if there is none. */
function crossedBy([start, end], others, ends) {
  const over = (place) => {
    let crossed = null, least = Infinity;
    for (const node of others) {
      if (node.mark === 'ignored') continue;
      const [from, to] = ends(node.number);
      if (from < place && place < to && to - from <= least) [crossed, least] = [node.number, to - from];
    }
    return crossed;
  };
  for (const [place, side] of [[start, 1], [end, 0]]) {
    const crossed = over(place);
    if (crossed === null) continue;
    const other = ends(crossed)[side];
    if (start < other && other < end) return crossed;
  }
  return null;
}
