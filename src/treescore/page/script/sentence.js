// The view of a sentence: its trees, drawn or as text, beside the reasons for its score.

/** Maximum number of nodes in drawings and lists. */
const MOST_DRAWN = 1500, MOST_LISTED = 3000;
const PRINT = matchMedia('print');
/** Pages on which trees and reasons are below each other. */
const ONE_COLUMN = matchMedia('(max-width: 999px)');

class SentenceView {
  constructor(data, app) {
    this.data = data;
    this.app = app;
    this.root = byId('sentence');
    this.drawing = null;
    this.requests = 0;
    this.index = null;
    this.fixed = null;  // the nodes that stay marked: [[panel, node]]
    this.unfolded = new Set();  // gold nodes that are shown although others are folded
    this.shown = null;  // the sentence whose trees are shown
    new ResizeObserver(() => this._resized()).observe(byId('stage'));
    new ResizeObserver(() => this.root.style.setProperty('--bar', `${byId('sentence-bar').offsetHeight}px`)).observe(byId('sentence-bar'));
    byId('fold').addEventListener('click', () => this.fold());
    this.player = new Player({ onTime: (position) => this.drawing?.setNeedle(position) });
    this._printing();
  }

  get names() {
    return this.data.main.systems.map((system) => system.name);
  }

  /** Show a sentence with the systems and metric of `app.state`. */
  async show(index) {
    const request = ++this.requests;
    if (index !== this.index) {
      this.fixed = null;
      this.unfolded.clear();
      if (typeof this.app.state.zoom === 'number') this.app.state.zoom = 'fit';
      this.drawing = null;
    }
    this.index = index;
    const [record, completions] = await Promise.all([this.data.trees(index), this.data.completions(index)]);
    const repairs = await this.data.repairs(index, record);
    if (request !== this.requests) return;  // another sentence was opened meanwhile
    this.repairs = repairs;
    this.record = record;
    this.completions = completions;
    if (this.shown !== index) this.player.load(this.data.recording(index));
    this.render();
  }

  render() {
    const { index, data, app } = this;
    const name = data.ids ? [`Sentence ${index + 1} · `, input(data.ids[index])] : [`Sentence ${index + 1}`];
    byId('sentence-title').replaceChildren(...name);
    byId('sentence-title').title = byId('sentence-title').textContent;
    document.title = `${data.ids ? data.ids[index] : `Sentence ${index + 1}`} – ${data.main.title}`;
    const order = app.list.order, place = order.indexOf(index);
    byId('sentence-place').textContent = place < 0 ? 'not in the list'
      : `${(place + 1).toLocaleString('en')} of ${order.length.toLocaleString('en')}`;
    byId('previous').disabled = app.neighbour(-1) === null;
    byId('next').disabled = app.neighbour(1) === null;
    this._systems();
    this._problems();
    this._trees();
    this._completions();
    this.shown = index;
  }

  /** The score of each system; with several systems, buttons that show one, and boxes that stack them. */
  _systems() {
    const { data, index, app } = this;
    const { systems, metrics } = data.main;
    const several = systems.length > 1;
    const marks = systemMarks(systems);
    byId('systems-shown').replaceChildren(...systems.map((system, number) => {
      const { shown } = app.state;
      const score = data.score(number, app.state.metric, index);
      const all = metrics.map((metric, other) => `${metric.title} ${percent(data.score(number, other, index))}`).join(', ');
      const mark = !several || marks[number] === system.name ? '' : `${marks[number]} `;
      const text = [mark, h('span', { class: 'name' }, input(system.name)), ' ', h('b', {}, percent(score))];
      if (!several) return h('span', { class: 'chip', title: `${system.name}: ${all}` }, text);
      const isShown = shown.includes(number);
      return h('span', { class: isShown ? 'chip shown' : 'chip' },
        h('input', {
          type: 'checkbox', checked: isShown, 'aria-label': `stack ${system.name}`, title: 'draw over the same words',
          onchange: (event) => {
            const wanted = systems.map((_, other) => other).filter((other) => (
              other === number ? event.target.checked : shown.includes(other)));
            if (!wanted.length) event.target.checked = true;
            else app.set({ shown: wanted });
          },
        }),
        h('button', {
          type: 'button', 'aria-pressed': String(isShown && shown.length === 1),
          title: `only ${system.name}${number < 9 ? ` (key ${number + 1})` : ''}: ${all}`,
          onclick: () => app.set({ shown: [number] }),
        }, text));
    }));
  }

  _problems() {
    const problems = this.data.problems.get(this.index) ?? [];
    byId('sentence-problems').replaceChildren(...problems.map((problem) => h('p', { class: 'problem' },
      h('span', { 'aria-hidden': 'true' }, '⚠ '), input(problem.text))));
  }

  /** What language models printed, after the reasons. */
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
    const places = verdicts.length && verdicts.every((verdict) => verdict?.places) ? verdicts.map((verdict) => verdict.places) : null;
    const panels = [{
      name: 'gold', caption: 'gold', tree: record.gold, nodes: golds, places: places?.[0][0],
      boxes: record.gold.labels.map((label, node) => this._goldBox(label, golds.map((side) => side[node]), shown)),
    }];
    shown.forEach((system, place) => panels.push({
      name: this.names[system], caption: shortened(this.names[system], 60), tree: record.tests[system], nodes: tests[place],
      places: places?.[place][1], system,
      boxes: tests[place].map((node) => ({ kind: kindOf(node), parts: this._parts(record.tests[system].labels[node.number], node) })),
    }));
    const { hasRuler } = data.main.metrics[metric].axis;
    this.foldable = new Set(foldableNodes(panels, hasRuler && places !== null));
    const folded = app.state.folded ? [...this.foldable].filter((node) => !this.unfolded.has(node)) : [];
    panels[0].folds = new Set(folded);
    golds.forEach((side, place) => {
      panels[place + 1].folds = new Set(folded.map((node) => side[node].partner));
    });
    return panels;
  }

  /** The parts of the box of a node: signs, label, and the IoU if below 1. */
  _parts(label, node) {
    const signs = Array.from(markText(node), (sign) => ({ sign }));
    const share = node.iou !== null && node.iou < 1 ? [{ text: shareText(node.iou) }] : [];
    return [...signs, ...(label ? [{ text: label }] : []), ...share];
  }

  /** The box of a gold node; with several systems, with the outcome of each if they differ. */
  _goldBox(label, verdicts, shown) {
    if (!verdicts.length) return { kind: 'plain', parts: [{ text: label }] };
    const texts = verdicts.map((node) => `${markText(node)} ${node.iou !== null && node.iou < 1 ? shareText(node.iou) : ''}`);
    if (texts.every((text) => text === texts[0])) return { kind: kindOf(verdicts[0]), parts: this._parts(label, verdicts[0]) };
    const marks = systemMarks(this.data.main.systems);
    const outcomes = verdicts.flatMap((node, place) => {
      const parts = this._parts('', node);
      return parts.length ? [...parts, { text: marks[shown[place]] }] : [];
    });
    return { kind: verdicts.some((node) => node.mark === 'missing') ? 'partly' : 'less', parts: [{ text: label }, ...outcomes] };
  }

  _trees() {
    const { record, app } = this;
    const stage = byId('stage');
    const before = this.drawing;
    this.drawing = null;
    this.panels = [];
    this.reasons = new Map();
    byId('losses').replaceChildren();
    byId('legend').replaceChildren();
    this._note(null);
    const hasTrees = record !== null && record.gold !== null;
    const size = hasTrees ? Math.max(record.gold.size, ...app.state.shown.map((system) => record.tests[system]?.size ?? 0)) : 0;
    const wanted = app.state.view ?? (matchMedia('(max-width: 640px)').matches ? 'text' : 'drawing');
    const view = size > MOST_DRAWN || !hasTrees ? 'text' : wanted;
    this.root.dataset.view = view;
    byId('sentence-text').textContent = view === 'text' ? shortened(this.data.text(this.index), 4000) : '';
    byId('sentence-text').hidden = view !== 'text';
    for (const button of document.querySelectorAll('#view button')) {
      button.setAttribute('aria-pressed', String(button.dataset.view === view));
      button.disabled = button.dataset.view === 'drawing' && view !== wanted;
    }
    if (!hasTrees) {
      const reason = record === null
        ? 'The trees of this sentence were left out to limit the size of the page.'
        : 'The trees of this sentence are too large for this page.';
      stage.replaceChildren(h('p', { class: 'note' }, reason));
      byId('fold').hidden = true;
      return;
    }
    this.panels = this._panels();
    byId('fold').hidden = this.foldable.size === 0;
    byId('fold').firstChild.data = app.state.folded && this.unfolded.size === 0 ? 'unfold ' : 'fold ';
    this._losses();
    if (view === 'text') this._text(stage);
    else this._draw(stage, before);
    this._legend();
    this._mark(this.fixed ?? []);
  }

  _draw(stage, before) {
    const { app } = this;
    const { axis } = this.data.main.metrics[app.state.metric];
    const isKept = before !== null && typeof app.state.zoom === 'number';
    stage.replaceChildren();
    const room = { width: stage.clientWidth, height: stage.clientHeight };
    this.room = room;
    this.drawing = new Drawing(bestLayout(this.panels, axis, room, isKept ? before.layout.turned : null), {
      axis,
      describe: (side, node) => this._described(side, node),
      onHover: (side, node) => this.light(side, node),
      onLeave: () => this.unlight(),
      onChoose: (side, node) => this.choose(side, node),
      onMove: () => {
        app.state.zoom = this.drawing.zoom;
      },
      onView: () => {
        byId('zoom-now').textContent = `${Math.round(100 * this.drawing.zoom)} %`;
      },
    });
    stage.replaceChildren(this.drawing.element);
    if (isKept) this.drawing.setView(...before.centre, before.zoom);
    else this.setZoom(app.state.zoom);
  }

  setZoom(zoom) {
    if (!this.drawing) return;
    if (typeof zoom === 'number') this.drawing.zoomBy(zoom / this.drawing.zoom);
    else this.drawing.fit(zoom === 'fit', this._worst);
  }

  /** The nodes of the largest loss. */
  get _worst() {
    return this.groups?.[0]?.nodes ?? [];
  }

  _resized() {
    if (!this.drawing || this.root.hidden || PRINT.matches) return;
    const { clientWidth, clientHeight } = byId('stage');
    if (clientWidth === this.room.width && clientHeight === this.room.height) return;
    if (typeof this.app.state.zoom === 'number') this.drawing.zoomBy(1);
    else this._trees();
  }

  /** The whole drawing is printed, whatever is in view. */
  _printing() {
    PRINT.addEventListener('change', () => {
      if (PRINT.matches) this.drawing?.showAll();
      else this.drawing?.zoomBy(1);
    });
  }

  // ---- folding

  /** Fold all nodes that can be folded, or unfold all. */
  fold() {
    const isFolded = this.app.state.folded && this.unfolded.size === 0;
    this.unfolded.clear();
    this.app.state.folded = !isFolded;
    this._trees();
    announce(isFolded ? 'unfolded' : 'correct parts are folded');
  }

  /** The gold node that can be folded to which a node belongs as its topmost node, or null. */
  _foldAt(side, node) {
    const gold = side === 0 ? node : this.panels[side].nodes[node].partner;
    return gold !== null && this.foldable.has(gold) ? gold : null;
  }

  /** A click on a node, or on the background: fold or unfold it, or keep it marked. */
  choose(side, node) {
    if (side === null) {
      this.fix(null);
      return;
    }
    const fold = this.app.state.folded ? this._foldAt(side, node) : null;
    if (fold !== null) {
      if (!this.unfolded.delete(fold)) this.unfolded.add(fold);
      this.app.state.zoom = this.drawing ? this.drawing.zoom : this.app.state.zoom;
      this._trees();
      (this.drawing?.visible(side, node) ?? byId(`n-${side}-${node}`))?.focus({ preventScroll: true });
      return;
    }
    const family = this._family(side, node);
    this.fix(family);
    this.play();
    const reason = this.reasons.get(`${side}-${node}`)?.[0];
    reason?.scrollIntoView({ block: 'nearest' });
  }

  /** Play the node that is marked, if it has times. */
  play() {
    const [first] = this.fixed ?? [];
    const span = first ? this.panels[first[0]].tree.span(first[1]) : null;
    if (span) this.player.play(...span);
    return span !== null;
  }

  /** Pause; or play the node that is marked or focused, otherwise the recording. */
  playOrPause() {
    const { audio } = this.player;
    if (!audio || !audio.paused) this.player.stop();
    else if (!this.play()) this.player.toggle();
  }

  /** Keep nodes marked; null for none. */
  fix(nodes) {
    this.fixed = nodes;
    this._mark(nodes ?? []);
  }

  // ---- nodes and reasons

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
    const named = (tree, number) => {
      const times = timesOf(tree, number);
      return `${shortWord(tree.labels[number])} ${times ? '' : 'over '}“${tree.phrase(number)}”${times}`;
    };
    const about = `${panel.name}: ${named(panel.tree, node)}`;
    const verdicts = side === 0 ? panel.nodes.map((outcomes) => outcomes[node]) : [panel.nodes[node]];
    if (verdicts.every((verdict) => verdict.mark === 'plain')) return about;
    const outcome = verdicts.map((verdict, place) => {
      const other = this.panels[side === 0 ? place + 1 : 0];
      const partner = verdict.partner ?? verdict.twin;
      const name = side === 0 && verdicts.length > 1 ? `${other.name}: ` : '';
      if (verdict.mark === 'plain') return `${name}not scored`;
      if (partner === null) return `${name}${markWords(verdict)}`;
      const preposition = verdict.mark === 'aligned' ? 'with' : 'beside';
      return `${name}${markWords(verdict)} ${preposition} ${named(other.tree, partner)}`;
    }).join('; ');
    return `${about}: ${outcome}${panel.folds.has(node) ? '; folded' : ''}`;
  }

  /** Mark a node, its partners and its reasons. */
  light(side, node) {
    this._mark(this._family(side, node));
    this._note(this._described(side, node));
    const reason = this.reasons.get(`${side}-${node}`)?.[0];
    if (!ONE_COLUMN.matches) reason?.scrollIntoView({ block: 'nearest' });
  }

  unlight() {
    this._mark(this.fixed ?? []);
    const [first] = this.fixed ?? [];
    this._note(first ? this._described(...first) : null);
  }

  _mark(nodes) {
    this.drawing?.highlight(nodes);
    for (const element of this.root.querySelectorAll('li.lit, button.lit')) element.classList.remove('lit');
    for (const [side, node] of nodes) {
      byId(`n-${side}-${node}`)?.classList.add('lit');
      for (const reason of this.reasons.get(`${side}-${node}`) ?? []) reason.classList.add('lit');
    }
  }

  _note(text) {
    byId('node-note').hidden = text === null;
    byId('node-note').replaceChildren(...(text === null ? [] : [input(text)]));
  }

  /** Indented lists, for narrow screens and screen readers. */
  _text(stage) {
    const lists = this.panels.map((panel, side) => {
      const hidden = [], depth = [];
      const nodes = panel.boxes.map((_, node) => node).filter((node) => {
        const parent = panel.tree.parents[node];
        depth[node] = parent < 0 ? 0 : depth[parent] + 1;
        hidden[node] = parent >= 0 && (hidden[parent] || panel.folds.has(parent));
        return !hidden[node];
      });
      const rows = nodes.slice(0, MOST_LISTED).map((node) => {
        const box = panel.boxes[node];
        const item = h('li', {
          id: `n-${side}-${node}`, class: `${box.kind}${panel.folds.has(node) ? ' folded' : ''}`,
          onpointerenter: () => this.light(side, node), onpointerleave: () => this.unlight(),
          onfocus: () => this.light(side, node), onblur: () => this.unlight(),
          onclick: () => this.choose(side, node),
          onkeydown: (event) => {
            if (event.key === 'Enter') this.choose(side, node);
          },
        }, h('span', { class: 'label' }, box.parts.map((part) => (part.sign ? signPictures(part.sign) : ` ${shortWord(part.text)} `))), ' ',
        h('span', { class: 'words' }, input(panel.tree.phrase(node))),
        h('span', { class: 'hidden' }, ` ${this._marks(side, node)}`));
        item.style.paddingInlineStart = `${0.5 + 0.9 * Math.min(depth[node], 14)}rem`;
        return item;
      });
      const more = nodes.length - rows.length;
      return h('section', { class: 'tree-text', 'aria-label': `Tree of ${panel.name}` },
        h('h2', {}, input(panel.name)), h('ul', { dir: isRightToLeft(panel.tree.words) ? 'rtl' : 'ltr' }, roving(rows)),
        more > 0 && h('p', { class: 'note' }, `and ${counted(more, 'node')} more`));
    });
    stage.replaceChildren(h('div', { class: 'tree-texts' }, lists));
  }

  _marks(side, node) {
    const { nodes } = this.panels[side];
    return (side === 0 ? nodes.map((outcomes) => outcomes[node]) : [nodes[node]]).map(markWords).filter(Boolean).join('; ');
  }

  /** The kinds of nodes that are shown. */
  _legend() {
    const { main } = this.data;
    if (!main.metrics[this.app.state.metric].hasTrees) return;
    const marks = systemMarks(main.systems);
    const kinds = new Set(this.panels.flatMap(({ boxes }) => boxes.map((box) => box.kind)));
    const signs = new Set(this.panels.flatMap(({ boxes }) => boxes.flatMap((box) => box.parts.map((part) => part.sign))));
    const first = this.panels[1] && marks[this.panels[1].system];
    const keys = [
      ['missing', '−', 'NP', 'missing'], ['extra', '+', 'NP', 'extra'], ['relabelled', '≠', 'NP', 'other label'],
      ['much', '', 'NP 0.60', 'IoU below 0.75'], ['less', '', 'NP 0.90', 'IoU below 1'],
      ['partly', '−', first ?? 'A', `missing in ${first ?? 'A'} only`],
      ['aligned', '', 'NP', 'right'], ['ignored', '', 'DT', 'not counted'],
    ].filter(([kind]) => kinds.has(kind));
    byId('legend').replaceChildren(
      ...keys.map(([kind, sign, text, note]) => h('span', { class: 'key' },
        h('span', { class: `sample ${kind}` }, kind === 'partly' && 'NP ', sign && signPictures(sign), ` ${text}`), ` ${note}`)),
      signs.has('×') && h('span', { class: 'key' }, signPictures('×'), ' crosses a node of the other tree') || '',
      this.panels.some((panel) => panel.folds.size) && h('span', { class: 'key' }, h('span', { class: 'sample folded' }, 'NP'), ' right, folded') || '');
  }

  /** The losses of each system in groups, the largest first; their sum is the difference of the score from 1. */
  _losses() {
    const { metrics } = this.data.main;
    const metric = metrics[this.app.state.metric];
    this.groups = [];
    if (!metric.hasTrees) {
      byId('losses').replaceChildren(h('p', { class: 'note' }, `No losses by node for this metric: ${metric.title}.`));
      return;
    }
    byId('losses').replaceChildren(...this.panels.slice(1).map((panel, place) => this._lossesOf(panel, place, metric)));
    this.groups.sort((a, b) => b.amount - a.amount);
  }

  _lossesOf(panel, place, metric) {
    const { data, record } = this;
    const [gold] = this.panels;
    const losses = lossesOf([record.gold, panel.tree], [gold.nodes[place], panel.nodes], [gold.places, panel.places], metric.axis);
    const score = data.score(panel.system, this.app.state.metric, this.index);
    const title = h('h2', {}, input(panel.name), h('span', { class: 'total' }, percent(score)));
    if (score === null || losses === null) {
      const reason = score === null ? 'This sentence was not scored.' : 'No node of this sentence counts.';
      return h('section', {}, title, h('p', { class: 'note' }, reason));
    }
    const { sum, half, list, counts } = losses;
    const noun = metric.name === 'parseval' ? 'bracket' : 'node';
    const isTimed = metric.axis.hasRuler && gold.places !== undefined;
    const repairs = this.repairs[panel.system] ?? [];
    const groups = groupsOf(list, isTimed ? [] : repairs, isTimed);
    const figures = h('p', { class: 'note' }, `${metric.title} ${percent(score)} = ${tidy(sum)} / ${tidy(half)}: `,
      metric.name === 'parseval' ? 'matched brackets' : 'the sum of IoU',
      ` divided by the mean number of ${noun}s in gold (${counts[0]}) and test (${counts[1]}). `,
      list.length ? `${points((half - sum) / half)} points are lost:` : 'There is no loss.');
    const items = groups.flatMap((group) => this._group(group, place + 1, half, noun));
    const reasons = h('ol', { class: 'losses' }, items);
    roving([...reasons.querySelectorAll('button')]);
    return h('section', {}, title, this._classes(repairs, place + 1), figures, reasons);
  }

  /** The error classes of a system with the number of their repairs; each marks its nodes. */
  _classes(repairs, side) {
    const { classes } = this.data.main;
    if (!repairs.length) return null;
    const nodesOf = new Map();
    for (const repair of repairs) nodesOf.set(repair.of, [...(nodesOf.get(repair.of) ?? []), repair]);
    const most = [...nodesOf].sort(([a, own], [b, other]) => other.length - own.length || a - b);
    return h('p', { class: 'classes' }, roving(most.map(([number, own]) => {
      const nodes = own.flatMap((repair) => repair.nodes.map(([ofSystem, node]) => [ofSystem ? side : 0, node]));
      const item = this._reason(nodes, classes.names[number], ' ', h('b', {}, own.length));
      item.className = 'class';
      return item;
    }), { sideways: true }));
  }

  /** The items of a group: its sentence, then its losses. */
  _group(group, side, half, noun) {
    const place = ([ofSystem, node]) => [ofSystem ? side : 0, node];
    const all = group.losses.flatMap((loss) => loss.nodes.map(place));
    const isPaired = group.losses[0].kind === 'aligned';
    this.groups.push({ amount: group.amount, nodes: all });
    const head = this._reason(all,
      group.words.map((part) => (part.input ? input(part.input) : part)),
      h('span', { class: 'sum' }, `: ${counted(group.step || !isPaired ? all.length : group.losses.length, group.step || !isPaired ? noun : 'pair')}, `,
        h('b', {}, points(group.amount / half)), ' points'),
      group.step && h('span', { class: 'of' }, ` ${this.data.main.classes.names[group.step.of]}`));
    const losses = group.losses.slice(0, MOST_LOSSES).map((loss) => {
      const nodes = loss.nodes.map(place);
      const item = this._reason(nodes, h('span', { class: 'loss' }, points(loss.amount / half)), ' ',
        h('span', {}, signPictures({ missing: '−', extra: '+', label: '≠' }[loss.kind] ?? ''), ' ',
          loss.words.map((part) => (part.input ? input(part.input) : part))));
      for (const [panel, node] of nodes) {
        const key = `${panel}-${node}`;
        this.reasons.set(key, [...(this.reasons.get(key) ?? []), item]);
      }
      return item;
    });
    const more = group.losses.length - losses.length;
    return [h('li', { class: 'group' }, head), ...losses.map((item) => h('li', { class: 'single' }, item)), ...(more > 0 ? [h('li', { class: 'note' }, `and ${more.toLocaleString('en')} more`)] : [])];
  }

  /** A button that marks its nodes, and keeps them marked when it is pressed. */
  _reason(nodes, ...children) {
    const light = () => {
      this._mark(nodes);
      this._note(this._described(...nodes[0]));
    };
    return h('button', {
      type: 'button', class: 'reason', onpointerenter: light, onpointerleave: () => this.unlight(), onblur: () => this.unlight(),
      onfocus: () => {
        light();
        this.drawing?.show(nodes);
      },
      onclick: () => {
        this.fix(nodes);
        this.drawing?.show(nodes);
      },
    }, ...children);
  }
}

/** The style of a node: its outcome, "relabelled" for another label, "less" and "much" for a part and much of its overlap lost. */
function kindOf(node) {
  if (node.twin !== null) return 'relabelled';
  if (node.mark !== 'aligned' || node.iou === 1) return node.mark;
  return 1 - node.iou < MUCH ? 'less' : 'much';
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
