// The confusion matrix, the error classes and the problems.

/** Number of problems listed at first, and added by each click. */
const FIRST_PROBLEMS = 20, MORE_PROBLEMS = 300;

/** The confusion matrix of gold labels and labels of the selected system. */
function renderConfusion(data, app) {
  const found = data.main.confusion?.[app.state.system]?.[app.state.metric];
  const section = byId('confusion');
  section.hidden = !found || !found.cells.length;
  if (section.hidden) return;
  const { rows, columns, cells, leftOut } = found;
  const most = Math.max(1, ...cells.map(([, , count]) => count));
  const table = new Map(cells.map(([row, column, count]) => [`${row} ${column}`, count]));
  const name = data.main.systems[app.state.system].name;
  const body = rows.map((gold, row) => h('tr', {}, h('th', { scope: 'row' }, input(gold)),
    columns.map((test, column) => {
      const count = table.get(`${row} ${column}`) ?? 0;
      if (gold === test) return h('td', { class: 'same' });
      if (!count) return h('td', {}, '');
      const text = `${gold} in gold, ${test} in ${name}: ${count}; show the sentences`;
      const button = h('button', {
        type: 'button', title: text, 'aria-label': text,
        onclick: () => app.set({ query: withPart(app.state.query, 'label', queryPart('label', `${gold}>${test}`)) }, true),
      }, count.toLocaleString('en'));
      button.style.setProperty('--share', String(Math.sqrt(count / most)));
      return h('td', {}, button);
    })));
  roving(body.flatMap((row) => [...row.querySelectorAll('button')]), { sideways: true });
  const more = leftOut.some(Boolean) && `; left out: ${counted(leftOut[0], 'row')} and ${counted(leftOut[1], 'column')} of labels that are confused less often`;
  byId('confusion-table').replaceChildren(h('table', { class: 'matrix' },
    h('caption', {}, 'Rows: labels of gold. Columns: labels of ', input(name), more, '.'),
    h('thead', {}, h('tr', {}, h('td', {}), columns.map((label) => h('th', { scope: 'col' }, h('span', {}, input(label)))))),
    h('tbody', {}, body)));
}

/** The number of errors of each class, by system. */
function renderClasses(data, app) {
  const { classes, systems } = data.main;
  byId('errors').hidden = !classes;
  if (!classes) return;
  const most = Math.max(1, ...classes.steps.flat());
  const rows = classes.names.map((name, number) => h('tr', {}, h('th', { scope: 'row' }, name), systems.map((system, place) => {
    const count = classes.steps[place][number];
    const text = `${name}, ${system.name}: ${counted(count, 'repair')}; show the sentences`;
    const meter = h('span', { class: `meter s${place % 6}` });
    meter.style.width = `${(100 * count) / most}%`;
    return [h('td', { class: 'meters' }, h('button', {
      type: 'button', class: 'track', title: text, 'aria-label': text,
      onclick: () => app.set({ system: place, query: withPart(app.state.query, 'class', queryPart('class', name)) }, true),
    }, meter, h('span', { class: 'figure' }, count.toLocaleString('en')))), h('td', { class: 'number' }, classes.brackets[place][number].toLocaleString('en'))];
  })));
  roving(rows.flatMap((row) => [...row.querySelectorAll('button')]), { sideways: true });
  byId('errors-table').replaceChildren(h('table', { class: 'plain' },
    h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'class'), systems.map((system) => [h('th', { scope: 'col' }, input(system.name)), h('th', { scope: 'col', class: 'number' }, 'brackets')]))),
    h('tbody', {}, rows)));
}

/** Problems with their positions. */
function renderProblems(data, app) {
  const { problems } = data.main;
  byId('problems').hidden = problems.length === 0;
  const list = byId('problem-list');
  let shown = 0;
  const more = h('button', { type: 'button', onclick: () => add() });
  function add() {
    const most = shown + (shown ? MORE_PROBLEMS : FIRST_PROBLEMS);
    list.append(...problems.slice(shown, most).map((problem) => h('li', {}, input(problem.text),
      problem.sentence !== null && [' ', h('a', {
        href: app.linkTo(problem.sentence - 1), onclick: ({ currentTarget: link }) => { link.href = app.linkTo(problem.sentence - 1); },
      }, `sentence ${problem.sentence}`)])));
    shown = Math.min(problems.length, most);
    more.textContent = `show more (${counted(problems.length - shown, 'problem')} left)`;
    more.hidden = shown >= problems.length;
  }
  add();
  list.after(more);
}
