// The application: current selection, page address and keyboard shortcuts.

const NARROW = matchMedia('(max-width: 640px)');

class App {
  constructor(data) {
    this.data = data;
    const { main } = data;
    this.defaultShown = main.systems.slice(0, 2).map((_, number) => number);  // the systems shown by default
    this.state = {
      metric: 0, system: 0, query: '', sort: this._worstFirst(0), view: null, zoom: 'fit', folded: true, shown: this.defaultShown,
    };
    this.open_ = null;  // the open sentence
    this.list = new SentenceList(data, this);
    this.charts = new Charts(data, this);
    this.sentence = new SentenceView(data, this);
  }

  _worstFirst(system) {
    return `score${system}`;
  }

  async start() {
    this._controls();
    this._copying();
    this._theme();
    this._printing();
    renderProblems(this.data, this);
    renderForests(this.data);
    history.scrollRestoration = 'manual';
    addEventListener('hashchange', () => this.route());
    addEventListener('scroll', () => this.remember());
    addEventListener('pagehide', () => this._remember());
    addEventListener('keydown', (event) => this._key(event));
    await this.route(true);
    this.isReady = true;
    document.documentElement.dataset.ready = '';
  }

  // ---- the address

  linkTo(index) {
    return `#${this._parameters({ s: index + 1 })}`;
  }

  _parameters(first) {
    const { state } = this;
    const parameters = { ...first };
    if (state.metric) parameters.m = state.metric + 1;
    if (state.shown.join() !== this.defaultShown.join()) parameters.v = state.shown.map((system) => system + 1).join();
    if (!first.s) {
      if (state.system) parameters.y = state.system + 1;
      if (state.query) parameters.q = state.query;
      if (state.sort !== this._worstFirst(state.system)) parameters.sort = state.sort;
    }
    return Object.entries(parameters).map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join('&');
  }

  /** The parameters in the address; null if it is only an anchor on the page. */
  _addressParameters() {
    const asked = new Map();
    for (const part of location.hash.slice(1).split('&').filter(Boolean)) {
      const [key, ...value] = part.split('=');
      let text = value.join('=');
      try {
        text = decodeURIComponent(text);
      } catch { /* a literal percent sign */ }
      if (['s', 'id', 'm', 'v', 'y', 'q', 'sort'].includes(key)) asked.set(key, text);
    }
    return asked.size || location.hash.length < 2 ? asked : null;
  }

  // ---- the position on the page and in the list, which survives reload and return

  /** Keep the position after the last movement. */
  remember() {
    clearTimeout(this.remembering);
    this.remembering = setTimeout(() => this._remember(), 150);
  }

  _remember() {
    clearTimeout(this.remembering);
    if (this.open_ !== null || !this.isReady) return;
    this.place = { page: scrollY, list: this.list.place };
    history.replaceState(this.place, '');
  }

  /** Return to the kept position of this entry of the history, or to the last one. */
  _restore() {
    const place = history.state ?? this.place;
    if (!place) return false;
    this.list.restore(place.list);
    scrollTo(0, place.page);
    return true;
  }

  /** Show the view of the address. */
  route(first = false) {
    const asked = this._addressParameters() ?? (first ? new Map() : null);
    if (asked === null) return null;
    const { main } = this.data;
    const number = (name, most) => {
      const value = Number(asked.get(name));
      return Number.isInteger(value) && value >= 1 && value <= most ? value - 1 : null;
    };
    const before = { ...this.state };
    const onSentence = asked.has('s') || asked.has('id');
    this.state.metric = number('m', main.metrics.length) ?? 0;
    const shown = (asked.get('v') ?? '').split(',').map((text) => Number(text) - 1).filter((system) => main.systems[system]);
    this.state.shown = shown.length ? [...new Set(shown)] : this.defaultShown;
    if (!onSentence) {
      this.state.system = number('y', main.systems.length) ?? 0;
      this.state.query = asked.get('q') ?? '';
    }
    const columns = ['number', 'length', 'advantage', ...main.systems.map((_, system) => `score${system}`)];
    const sort = asked.get('sort') ?? null;
    if (sort !== null && columns.includes(sort.replace(/^-/u, ''))) this.state.sort = sort;
    else if (!onSentence || this.state.metric !== before.metric) this.state.sort = this._worstFirst(this.state.system);
    let index = null;
    if (asked.has('s')) index = number('s', this.data.count) ?? -1;
    else if (asked.has('id')) index = this.data.find(asked.get('id'));
    const changed = ['metric', 'system', 'query', 'sort', 'shown'].some((name) => String(before[name]) !== String(this.state[name]));
    if (first || changed) this._update(first || before.metric !== this.state.metric || before.system !== this.state.system);
    return this._show(index);
  }

  /** Change the selection and the address. */
  set(changes, goToList = false) {
    Object.assign(this.state, changes);
    if (('metric' in changes || 'system' in changes) && !('sort' in changes) && /score/u.test(this.state.sort)) {
      this.state.sort = this._worstFirst(this.state.system);
    }
    const address = this._parameters(this.open_ === null || goToList ? {} : { s: this.open_ + 1 });
    const text = `#${address}`;
    if (text !== (location.hash || '#')) {
      if (goToList) this._remember();
      history[goToList ? 'pushState' : 'replaceState'](null, '', text);
    }
    const figures = 'metric' in changes || 'system' in changes;
    if (figures || 'query' in changes || 'sort' in changes || 'shown' in changes) this._update(figures);
    if (goToList) {
      this._show(null);
      if (!isInView(byId('sentences'))) byId('sentences').scrollIntoView({ block: 'start' });
      byId('grid').focus({ preventScroll: true });
    } else if (this.open_ !== null) this.sentence.render();
  }

  _update(figures) {
    const { state } = this;
    for (const select of document.querySelectorAll('select.metric')) select.value = String(state.metric);
    byId('system').value = String(state.system);
    if (byId('search').value !== state.query) byId('search').value = state.query;
    this._filters();
    this.list.update();
    if (!figures) return;
    this.charts.render();
    renderExplained(this.data, this);
    renderLabels(this.data, this);
    renderConfusion(this.data, this);
    renderClasses(this.data, this);
    this._contents();
  }

  /** Links to the visible sections. They do not change the address, which holds the selection. */
  _contents() {
    const sections = [...document.querySelectorAll('#overview section[aria-labelledby]')].filter((section) => !section.hidden);
    document.querySelector('.contents').replaceChildren(...sections.slice(1).map((section) => {
      const title = byId(section.getAttribute('aria-labelledby'));
      return h('a', {
        href: `#${section.id}`, onclick: (event) => {
          event.preventDefault();
          section.scrollIntoView({ block: 'start' });
          title.tabIndex = -1;
          title.focus({ preventScroll: true });
        },
      }, title.textContent);
    }));
  }

  async _show(index) {
    const wanted = index !== null && index >= 0;
    if (index === -1) announce('There is no such sentence.');
    byId('unknown').hidden = index !== -1;
    byId('overview').hidden = wanted;
    byId('sentence').hidden = !wanted;
    document.querySelector('.top').hidden = wanted;
    document.querySelector(wanted ? '#sentence-bar' : '.top').append(document.querySelector('.tools'));
    const was = this.open_;
    this.open_ = wanted ? index : null;
    if (wanted) {
      const shown = this.sentence.show(index);
      if (was === null) {
        scrollTo(0, 0);
        byId('sentence-title').focus({ preventScroll: true });
      }
      await shown;
    } else {
      document.title = this.data.main.title;
      if (was !== null) {
        const isKept = this._restore();
        this.list.pointAt(was);
        if (!isKept) byId('sentences').scrollIntoView({ block: 'start' });
        byId('grid').focus({ preventScroll: true });
      } else if (history.state) this._restore();
    }
  }

  open(index) {
    this._remember();
    location.hash = this.linkTo(index);
  }

  back() {
    location.hash = `#${this._parameters({})}`;
  }

  /** The sentence before or after the open sentence, in the order of the list; null at the ends. */
  neighbour(step) {
    const { order } = this.list;
    const place = order.indexOf(this.open_);
    const index = place < 0 ? this.open_ + step : order[place + step];
    return index === undefined || index < 0 || index >= this.data.count ? null : index;
  }

  go(step) {
    const index = this.neighbour(step);
    if (index !== null) this.open(index);
  }

  // ---- controls

  _controls() {
    const { main } = this.data;
    const options = (list) => list.map((text, number) => h('option', { value: number }, text));
    for (const select of document.querySelectorAll('select.metric')) {
      select.replaceChildren(...options(main.metrics.map((metric) => metric.title)));
      select.addEventListener('change', () => this.set({ metric: Number(select.value) }));
    }
    byId('system').replaceChildren(...options(main.systems.map((system) => system.name)));
    byId('system').addEventListener('change', () => this.set({ system: Number(byId('system').value) }));
    for (const element of document.querySelectorAll('.several')) element.hidden = main.systems.length < 2;
    byId('search').addEventListener('input', () => {
      clearTimeout(this.waiting);
      this.waiting = setTimeout(() => this._searched(), this.data.count > 5000 ? 200 : 60);
    });
    document.querySelector('.skip').addEventListener('click', (event) => {
      event.preventDefault();
      byId(this.open_ === null ? 'grid' : 'sentence-title').focus();
    });
    byId('previous').addEventListener('click', () => this.go(-1));
    byId('next').addEventListener('click', () => this.go(1));
    byId('back').addEventListener('click', () => this.back());
    byId('copy-link').addEventListener('click', () => copy(location.href, byId('copy-link')));
    for (const button of document.querySelectorAll('#view button')) {
      button.addEventListener('click', () => this.set({ view: button.dataset.view }));
    }
    for (const button of document.querySelectorAll('#zoom button')) {
      button.addEventListener('click', () => this.zoom(button.dataset.zoom));
    }
    for (const button of document.querySelectorAll('[data-help]')) button.addEventListener('click', () => this.help());
    NARROW.addEventListener('change', () => {
      this.list.draw();
      if (this.open_ !== null) this.sentence.render();
    });
    this._filterForm();
  }

  /** Search for the current text of the search box. */
  _searched() {
    clearTimeout(this.waiting);
    if (byId('search').value !== this.state.query) this.set({ query: byId('search').value });
  }

  /** Fields that write into the search box, for users who do not know the query language. */
  _filterForm() {
    const { main } = this.data;
    const fill = (id, values) => {
      byId(id).append(...values.map((value) => h('option', { value }, value)));
      byId(id).closest('label').hidden = values.length === 0;
    };
    fill('f-missing', main.frequentLabels);
    fill('f-extra', main.frequentLabels);
    fill('f-class', main.classes ? main.classes.names : []);
    fill('f-problem', main.problemSentences.map(([code]) => code));
    const ranged = (key, from, to) => () => {
      const parts = [byId(from).value && `${key}>=${byId(from).value}`, byId(to).value && `${key}<=${byId(to).value}`];
      this.set({ query: withPart(this.state.query, key, parts.filter(Boolean).join(' ')) });
    };
    for (const key of ['score', 'length']) {
      const change = ranged(key, `f-${key}-from`, `f-${key}-to`);
      byId(`f-${key}-from`).addEventListener('change', change);
      byId(`f-${key}-to`).addEventListener('change', change);
    }
    for (const key of ['missing', 'extra', 'class', 'problem']) {
      byId(`f-${key}`).addEventListener('change', () => {
        const { value } = byId(`f-${key}`);
        this.set({ query: withPart(this.state.query, key, value && queryPart(key, value)) });
      });
    }
    byId('clear').addEventListener('click', () => {
      this.set({ query: '' });
      byId('search').focus();
    });
  }

  /** Show the parts of the query with buttons to remove them, and update the fields. */
  _filters() {
    const parts = queryParts(this.state.query);
    byId('parts').replaceChildren(...parts.map((part, place) => h('button', {
      type: 'button', class: 'part', 'aria-label': `remove ${part.source}`,
      onclick: () => {
        this.set({ query: parts.filter((_, other) => other !== place).map((kept) => kept.source).join(' ') });
        (byId('parts').children[Math.min(place, parts.length - 2)] ?? byId('search')).focus();
      },
    }, h('bdi', {}, part.source), h('span', { 'aria-hidden': 'true' }, ' ✕'))));
    byId('clear').hidden = parts.length === 0;
    const value = (pattern) => parts.map((part) => pattern.exec(part.text)).find(Boolean)?.[1] ?? '';
    for (const key of ['score', 'length']) {
      byId(`f-${key}-from`).value = value(new RegExp(`^${key}(?:>=|>|:)([\\d.]+)`, 'u'));
      byId(`f-${key}-to`).value = value(new RegExp(`^${key}(?:<=|<|:[\\d.]+-)([\\d.]+)`, 'u'));
    }
    for (const key of ['missing', 'extra', 'class', 'problem']) byId(`f-${key}`).value = value(new RegExp(`^${key}:(.*)`, 'su'));
  }

  zoom(step) {
    const now = this.sentence.drawing?.zoom;
    if (now === undefined) return;
    this.state.zoom = { in: now * 1.25, out: now / 1.25, all: 'all', fit: 'fit', one: 1 }[step];
    this.sentence.setZoom(this.state.zoom);
  }

  _copying() {
    for (const button of document.querySelectorAll('button[data-copy]')) {
      button.addEventListener('click', () => copy(byId(button.dataset.copy).textContent, button));
    }
  }

  /** Light or dark: by default as the system. */
  _theme() {
    const root = document.documentElement;
    const isDark = () => (root.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';
    const button = byId('theme');
    const say = () => button.setAttribute('aria-pressed', String(isDark()));
    try {
      const kept = localStorage.getItem('treescore-theme');
      if (kept === 'dark' || kept === 'light') root.dataset.theme = kept;
    } catch { /* a page from disk may have no storage */ }
    button.addEventListener('click', () => {
      root.dataset.theme = isDark() ? 'light' : 'dark';
      try {
        localStorage.setItem('treescore-theme', root.dataset.theme);
      } catch { /* as above */ }
      say();
    });
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', say);
    say();
  }

  /** Print folded sections, such as signatures. */
  _printing() {
    let opened = [];
    addEventListener('beforeprint', () => {
      opened = [...document.querySelectorAll('details:not([open], .filters)')];
      for (const details of opened) details.open = true;
    });
    addEventListener('afterprint', () => {
      for (const details of opened) details.open = false;
    });
  }

  help() {
    const dialog = byId('help');
    if (dialog.open) dialog.close();
    else dialog.showModal();
  }

  // ---- keys

  _key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || byId('help').open) return;
    const { target, key } = event;
    const writes = target.matches?.('input:not([type=checkbox]), select, textarea');
    if (key === 'Escape') {
      if (writes && target !== byId('search')) target.blur();
      else if (this.open_ !== null && this.sentence.fixed) this.sentence.fix(null);
      else if (this.open_ !== null) this.back();
      else if (this.state.query || byId('search').value) {
        byId('search').value = '';
        this._searched();
      } else if (target === byId('search')) byId('grid').focus();
      else return;
      event.preventDefault();
      return;
    }
    if (writes) {
      if (target === byId('search') && (key === 'Enter' || key === 'ArrowDown')) {
        event.preventDefault();
        this._searched();
        byId('grid').focus();
      }
      return;
    }
    const action = (this.open_ === null ? this._listKeys(event) : this._sentenceKeys(event))[key];
    const common = { '?': () => this.help(), '/': () => this._search() };
    const chosen = action ?? common[key];
    if (!chosen) return;
    event.preventDefault();
    chosen();
  }

  _search() {
    if (this.open_ !== null) this.back();
    setTimeout(() => byId('search').select(), 0);
    byId('search').focus();
  }

  _listKeys({ target }) {
    const { list } = this;
    const page = Math.max(1, Math.floor(byId('rows').clientHeight / list.rowHeight) - 1);
    const move = (step) => () => {
      byId('grid').focus();
      list.move(step);
    };
    const keys = { j: move(1), k: move(-1) };
    if (target !== byId('grid')) return keys;
    return {
      ...keys, ArrowDown: move(1), ArrowUp: move(-1), PageDown: move(page), PageUp: move(-page),
      Home: move(-Infinity), End: move(Infinity),
      Enter: () => list.order.length && this.open(list.order[list.cursor]),
    };
  }

  _sentenceKeys({ target }) {
    const { main } = this.data;
    const isFree = [document.body, document.documentElement, byId('sentence-title')].includes(target);
    return {
      j: () => this.go(1), k: () => this.go(-1),
      ...(isFree ? { ArrowRight: () => this.go(1), ArrowLeft: () => this.go(-1) } : {}),
      m: () => this.set({ metric: (this.state.metric + 1) % main.metrics.length }),
      v: () => this.set({ view: byId('sentence').dataset.view === 'text' ? 'drawing' : 'text' }),
      f: () => this.sentence.fold(),
      p: () => this.sentence.playOrPause(),
      ...Object.fromEntries(main.systems.slice(0, 9).map((_, system) => [system + 1, () => this.set({ shown: [system] })])),
      '+': () => this.zoom('in'), '-': () => this.zoom('out'), 0: () => this.zoom('fit'),
    };
  }
}

/** Is the top of an element on the screen? */
function isInView(element) {
  const { top } = element.getBoundingClientRect();
  return top >= 0 && top < innerHeight / 2;
}

/** Copies a text, and says so on the button. */
async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {  // not allowed for a page from disk in some browsers
    const field = h('textarea', { class: 'hidden' });
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand('copy');
    field.remove();
  }
  announce('copied');
  button.dataset.copied = '';
  setTimeout(() => delete button.dataset.copied, 1500);
}

(async () => {
  byId('old').remove();
  try {
    if (typeof DecompressionStream === 'undefined') {
      throw new Error('this browser is too old: it cannot inflate the data of the page (it needs DecompressionStream)');
    }
    const data = await Data.load();
    const app = new App(data);
    window.treescore = { data, app };
    await app.start();
  } catch (error) {
    byId('failure').textContent = `The page cannot be shown: ${error.message}`;
    byId('failure').hidden = false;
    throw error;
  }
})();
