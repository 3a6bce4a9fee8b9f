// The list of sentences, with elements for the visible rows only.

/** Maximum number of systems with a column each. */
const MOST_COLUMNS = 4;

class SentenceList {
  constructor(data, app) {
    this.data = data;
    this.app = app;
    this.order = [];
    this.cursor = 0;
    this.grid = byId('grid');
    this.body = byId('rows');
    this.spacer = h('div', { class: 'spacer', role: 'presentation' });
    this.body.append(this.spacer);
    this.body.addEventListener('scroll', () => {
      this._later();
      app.remember();
    });
    this.body.addEventListener('click', (event) => {
      const row = event.target.closest('[data-index]');
      if (row && !event.target.closest('a')) app.open(Number(row.dataset.index));
    });
    this.body.addEventListener('focus', () => this.grid.focus({ preventScroll: true }));
    addEventListener('resize', () => this._later());
    this.waiting = false;
  }

  _later() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  /** Filter and sort the sentences. */
  update() {
    const { data, app } = this;
    const { matches, problems } = filtered(data, app.state);
    this.order = sorted(data, app.state, matches);
    byId('query-problem').textContent = problems.length ? `${problems.join('. ')}.` : '';
    byId('query-problem').hidden = problems.length === 0;
    this.cursor = 0;
    this.body.scrollTop = 0;
    this._header();
    const all = this.order.length === data.count;
    const text = all ? counted(data.count, 'sentence') : `${this.order.length.toLocaleString('en')} of ${counted(data.count, 'sentence')}`;
    byId('found').textContent = text;
    announce([text, ...problems].join('. '));
    byId('nothing').hidden = this.order.length > 0;
    this.draw();
  }

  get rowHeight() {
    return parseFloat(getComputedStyle(this.body).getPropertyValue('--row')) || 36;
  }

  /** The systems with a column: all, or if there are many, the selected and the shown systems. */
  get systems() {
    const { state } = this.app;
    const all = this.data.main.systems.map((_, system) => system);
    return all.length <= MOST_COLUMNS ? all : all.filter((system) => system === state.system || state.shown.includes(system));
  }

  /** Columns: [sort key, title, description]. */
  _columns() {
    const { data, app } = this;
    const { systems } = data.main;
    const several = systems.length > 1;
    return [
      ['number', data.ids ? 'id' : '#', data.ids ? 'id of the sentence, in the order of the file' : 'number of the sentence'],
      ['length', 'words', 'number of words, as the metric counts them'],
      ...this.systems.map((number) => [`score${number}`, several ? data.short[number] : 'score', `score of ${systems[number].name}`]),
      ...(several ? [['advantage', '±', `${systems[app.state.system].name} against the other${systems.length > 2 ? 's' : ''}`]] : []),
      [null, 'sentence', 'sentence'],
    ];
  }

  _header() {
    const { app, data } = this;
    const current = app.state.sort.replace(/^-/u, '');
    const ascending = !app.state.sort.startsWith('-');
    const systems = this.systems.length;
    const columns = this._columns();
    this.grid.style.setProperty('--digits', String(String(this.data.count).length));
    this.grid.style.setProperty('--systems', String(this.data.main.systems.length > 1 ? systems + 1 : 1));
    this.grid.classList.toggle('with-ids', Boolean(this.data.ids));
    this.grid.setAttribute('aria-colcount', String(columns.length));
    const focused = [...byId('header').children].findIndex((cell) => cell.contains(document.activeElement));
    byId('header').replaceChildren(...columns.map(([column, title, what], place) => {
      const direction = column === current ? (ascending ? 'ascending' : 'descending') : 'none';
      const colour = data.main.systems.length > 1 && /^score(\d+)$/u.exec(column)?.[1];
      const kind = column === null ? 'sentence' : `${column.replace(/\d+$/u, '')}${colour ? ` s${colour % 6}` : ''}`;
      if (column === null) return h('div', { role: 'columnheader', class: `cell ${kind}`, 'aria-colindex': place + 1 }, title);
      return h('div', { role: 'columnheader', class: `cell ${kind}`, 'aria-sort': direction, 'aria-colindex': place + 1 },
        h('button', {
          type: 'button', title: `sort by ${what}`, 'aria-label': `${what}, sort`,
          onclick: () => app.set({ sort: column === current && ascending ? `-${column}` : column }),
        }, h('bdi', { class: 'title' }, title), h('span', { class: 'arrow', 'aria-hidden': 'true' },
          direction === 'none' ? '' : ascending ? '▲' : '▼')));
    }));
    byId('header').children[focused]?.querySelector('button')?.focus();
  }

  draw() {
    const { order, body, spacer } = this;
    const height = this.rowHeight;
    spacer.style.height = `${order.length * height}px`;
    body.style.setProperty('--all', `${Math.max(1, order.length) * height}px`);  // a short list takes no more room than it needs
    this.grid.setAttribute('aria-rowcount', String(order.length + 1));
    const first = Math.max(0, Math.floor(body.scrollTop / height) - 5);
    const last = Math.min(order.length, Math.ceil((body.scrollTop + body.clientHeight) / height) + 5);
    const rows = [];
    for (let place = first; place < last; place++) rows.push(this._row(place, height));
    spacer.replaceChildren(...rows);
    if (order.length) this.grid.setAttribute('aria-activedescendant', `row-${this.cursor}`);
    else this.grid.removeAttribute('aria-activedescendant');
  }

  _row(place, height) {
    const { data, app } = this;
    const index = this.order[place];
    const { metric, system } = app.state;
    const several = data.main.systems.length > 1;
    let column = 0;
    const cell = (kind, ...children) => h('div', { role: 'gridcell', class: `cell ${kind}`, 'aria-colindex': ++column }, children);
    const first = [
      cell('number', data.ids ? input(data.ids[index]) : String(index + 1)), cell('length', String(data.length(system, metric, index))),
    ];
    const scores = this.systems.map((number) => {
      const score = data.score(number, metric, index);
      const element = cell('score', h('span', { class: 'figure' }, percent(score)));
      element.style.setProperty('--share', String(Math.max(0, Math.min(1, score ?? 0))));
      return element;
    });
    const difference = several ? advantage(data, system, metric, index) : null;
    const problem = data.problemCodes.has(index) && h('span', { class: 'warning', role: 'img', title: 'has a problem', 'aria-label': 'has a problem' }, '⚠ ');
    const row = h('div', {
      role: 'row', id: `row-${place}`, class: place === this.cursor ? 'row current' : 'row', 'data-index': index,
      'aria-rowindex': place + 2, 'aria-selected': String(place === this.cursor),
    },
    first,
    scores,
    several && cell(`advantage ${difference > 0 ? 'up' : difference < 0 ? 'down' : ''}`,
      difference === null ? '–' : `${difference > 0 ? '+' : difference < 0 ? '−' : ''}${percent(Math.abs(difference))}`),
    cell('sentence', problem, h('a', { href: app.linkTo(index), tabindex: place === this.cursor ? '0' : '-1', dir: 'auto' },
      shortened(data.text(index), 300) || '(no words)')));
    row.style.top = `${place * height}px`;
    return row;
  }

  /** Move the cursor and scroll to it. */
  move(step) {
    if (!this.order.length) return;
    this.cursor = Math.max(0, Math.min(this.order.length - 1, this.cursor + step));
    const height = this.rowHeight;
    const top = this.cursor * height;
    if (top < this.body.scrollTop) this.body.scrollTop = top;
    if (top + height > this.body.scrollTop + this.body.clientHeight) this.body.scrollTop = top + height - this.body.clientHeight;
    this.draw();
    this.app.remember();
  }

  /** The position in the list, for `restore`. */
  get place() {
    return { sentence: this.order[this.cursor] ?? null, top: this.body.scrollTop };
  }

  /** Return to a position in the list. */
  restore({ sentence, top }) {
    this.cursor = Math.max(0, this.order.indexOf(sentence));
    this.draw();
    this.body.scrollTop = top;
    this.draw();
  }

  /** Move the cursor to a sentence, if it is in the list. */
  pointAt(index) {
    const place = this.order.indexOf(index);
    if (place >= 0) this.move(place - this.cursor);
  }
}
