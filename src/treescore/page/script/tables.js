// The confusion matrix, the error classes and the problems.

/** Number of problems listed at first, and added by each click. */
const FIRST_PROBLEMS = 20, MORE_PROBLEMS = 300;

/** The name of each system with its colour, or nothing if there is only one. */
const systemKey = (data, system) => data.main.systems.length > 1
  && h('span', { class: `series-key s${system % 6}`, title: data.main.systems[system].name }, input(data.short[system]));

/** The ends of an interval in percent. */
const rangeText = (interval) => (interval ? `${percent(interval[0], 1)} – ${percent(interval[1], 1)}` : '');

/** The score of each label with its interval, by system. */
function renderLabels(data, app) {
  const { byLabel } = data.main.plots[app.state.metric];
  byId('labels').hidden = !byLabel?.length;
  if (!byLabel?.length) return;
  const { systems, metrics } = data.main;
  const { hasTrees } = metrics[app.state.metric];
  const several = systems.length > 1;
  const rows = byLabel.flatMap(({ label, gold, values, intervals }) => systems.map((system, number) => {
    const [value, interval] = [values[number], intervals?.[number] ?? null];
    const meter = h('span', { class: `meter s${number % 6}` });
    meter.style.width = `${Math.max(0, 100 * (value ?? 0))}%`;
    const whisker = interval && h('span', { class: 'whisker' });
    if (whisker) {
      whisker.style.left = `${100 * interval[0]}%`;
      whisker.style.width = `${100 * (interval[1] - interval[0])}%`;
    }
    const text = `${several ? `${system.name}, ` : ''}${label}: ${percent(value)}${interval ? `, interval ${rangeText(interval)}` : ''}; show sentences with a missing node`;
    const track = hasTrees ? h('button', {
      type: 'button', class: 'track', title: text, 'aria-label': text,
      onclick: () => app.set({ system: number, query: withPart(app.state.query, 'missing', queryPart('missing', label)) }, true),
    }, meter, whisker) : h('span', { class: 'track' }, meter, whisker);
    return h('tr', { class: number ? 'more' : '' },
      number === 0 && h('th', { scope: 'row', rowspan: systems.length }, input(label)),
      several && h('td', { class: 'system' }, systemKey(data, number)),
      h('td', { class: 'number' }, gold[number].toLocaleString('en')),
      h('td', { class: 'meters' }, track),
      h('td', { class: 'number' }, percent(value, 1)),
      intervals && h('td', { class: 'number interval' }, rangeText(interval)));
  }));
  roving(rows.flatMap((row) => [...row.querySelectorAll('button')]), { sideways: true });
  byId('labels-note').textContent = `The most frequent labels of gold, with the score of the metric of the list${byLabel.some(({ intervals }) => intervals) ? ' and its bootstrap interval' : ''}.${hasTrees ? ' Click a bar to see the sentences with a missing node.' : ''}`;
  const hasIntervals = byLabel.some(({ intervals }) => intervals);
  byId('labels-table').replaceChildren(h('table', { class: 'plain labels' },
    h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'label'), several && h('th', { scope: 'col' }, 'system'),
      h('th', { scope: 'col', class: 'number' }, 'in gold'), h('td', {}),
      h('th', { scope: 'col', class: 'number' }, 'score'), hasIntervals && h('th', { scope: 'col', class: 'number' }, '95 % interval'))),
    h('tbody', {}, rows)));
}

/** What each label and each class of errors contributes to the difference of two systems. */
function renderExplained(data, app) {
  const place = byId('explained');
  if (!place) return;
  const { metrics, explained } = data.main;
  if (!explained) return;
  const pair = app.charts.compared;
  const key = `${Math.min(...pair)}-${Math.max(...pair)}`;
  const sign = pair[0] > pair[1] ? -1 : 1;
  const names = pair.map((system) => data.short[system]);
  const facing = ({ value, low, high, ...rest }) => (sign > 0 ? { value, low, high, ...rest }
    : { value: -value, low: high === null ? null : -high, high: low === null ? null : -low, ...rest });
  const query = (part, text) => () => app.set({ system: pair[0], query: withPart(app.state.query, part, queryPart(part, text)) }, true);
  const tables = [];
  const labels = explained.labels[app.state.metric]?.[key];
  if (labels?.length) {
    const rows = labels.map(({ label, ...row }) => ({ title: label ?? 'other labels and failed sentences', ...facing(row), action: label && query('missing', label) }));
    tables.push(forestTable(h('span', {}, 'Labels: points of ', metrics[app.state.metric].title, ' (corpus level), ', input(names[0]), ' − ', input(names[1])),
      rows.map((row) => ({ ...row, pair })), { text: signed, columns: ['label', 'points'] }));
  }
  const classes = explained.classes[key];
  if (classes?.length) {
    const rows = classes.map(({ label, ...row }) => ({ title: label, ...facing(row), action: query('class', label) }));
    tables.push(forestTable(h('span', {}, 'Error classes: wrong brackets of ', input(names[1]), ' − ', input(names[0])),
      rows.map((row) => ({ ...row, pair })), { text: (value) => signed(value, 0), columns: ['class', 'brackets'] }));
  }
  place.replaceChildren(...(tables.length ? [h('h3', {}, 'What explains the difference?'),
    h('p', { class: 'note' }, 'The largest contributions first; positive ones favour ', input(names[0]), '. Grey intervals contain 0. ', explained.note), ...tables] : []));
}

/** A cell of the confusion matrix that filters the sentences. */
function confusionCell(app, count, most, text, key, value) {
  if (!count) return h('td', {});
  const button = h('button', {
    type: 'button', title: `${text}: ${count}; show the sentences`, 'aria-label': `${text}: ${count}; show the sentences`,
    onclick: () => app.set({ query: withPart(app.state.query, key, queryPart(key, value)) }, true),
  }, count.toLocaleString('en'));
  button.style.setProperty('--share', String(Math.sqrt(count / most)));
  return h('td', {}, button);
}

/** What the matrix means, in words, with the special labels that occur in it. */
function confusionNote(found, name) {
  const labels = new Set([...found.rows, ...found.columns]);
  const outer = ['TOP', 'ROOT', 'S1', 'VROOT'].filter((label) => labels.has(label));
  const notes = [
    h('p', { class: 'note' }, 'Rows are labels of gold, columns are labels of ', input(name), '; a cell counts nodes over the same words, by the metric and for the system of the list. ',
      h('b', {}, 'missing'), ' and ', h('b', {}, 'extra'), ' count nodes without any differing node over the same words. Click a number to see the sentences.'),
  ];
  const special = [
    outer.length && `${outer.join(', ')}: the outer bracket around the whole sentence`,
    labels.has('∅') && '∅: a bracket with an empty label, such as the outer one of “( (S …))”',
  ].filter(Boolean);
  if (special.length) notes.push(h('p', { class: 'note' }, `${special.join('. ')}. If only one side has such brackets, the option outer:ignored leaves them out.`));
  return notes;
}

/** The confusion matrix of gold labels and labels of the selected system, with missing and extra nodes. */
function renderConfusion(data, app) {
  const found = data.main.confusion?.[app.state.system]?.[app.state.metric];
  const section = byId('confusion');
  section.hidden = !found || !(found.cells.length || found.missing.some(Boolean) || found.extra.some(Boolean));
  if (section.hidden) return;
  const { rows, columns, cells, missing, extra, leftOut } = found;
  const most = Math.max(1, ...cells.map(([, , count]) => count));
  const table = new Map(cells.map(([row, column, count]) => [`${row} ${column}`, count]));
  const name = data.main.systems[app.state.system].name;
  const body = rows.map((gold, row) => h('tr', {}, h('th', { scope: 'row' }, input(gold)),
    columns.map((test, column) => (gold === test ? h('td', { class: 'same' })
      : confusionCell(app, table.get(`${row} ${column}`), most, `${gold} in gold, ${test} in ${name}`, 'label', `${gold}>${test}`))),
    confusionCell(app, missing[row], Math.max(...missing), `${gold} is missing in ${name}`, 'missing', gold)));
  body.push(h('tr', { class: 'alone' }, h('th', { scope: 'row' }, 'extra'),
    columns.map((test, column) => confusionCell(app, extra[column], Math.max(...extra), `${test} is extra in ${name}`, 'extra', test)), h('td', { class: 'same' })));
  roving(body.flatMap((row) => [...row.querySelectorAll('button')]), { sideways: true });
  byId('confusion-note').replaceChildren(...confusionNote(found, name));
  const more = leftOut.some(Boolean) && h('caption', {}, `Left out: ${counted(leftOut[0], 'row')} and ${counted(leftOut[1], 'column')} of labels that are wrong less often.`);
  byId('confusion-table').replaceChildren(h('table', { class: 'matrix' }, more,
    h('thead', {}, h('tr', {}, h('td', {}), [...columns, null].map((label) => h('th', { scope: 'col', class: label === null && 'alone' }, label === null ? 'missing' : input(label))))),
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
    h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'class'), systems.map((_, number) => [h('th', { scope: 'col' }, systemKey(data, number) || 'repairs'), h('th', { scope: 'col', class: 'number' }, 'brackets')]))),
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
