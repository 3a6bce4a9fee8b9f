// The query language of the search box. Every part must match; a minus negates a part.
//
//   cat  "the cat"            words of the sentence, or its id
//   score<50  score:20-30     in percent, of the selected system and metric; score@2<50 of the second system
//   score@1>score@2           a sentence on which the first is better than the second; also by name: score@A>score@B
//   length>20  length:21-30   in words
//   missing:NP  extra:NP      a missing or extra node with this label
//   label:NP>VP               a node that is NP in gold and VP in the system
//   class:"PP attachment"     an error of this class
//   problem  problem:words    a problem, or a problem of this kind
//   unscored                  no score
//   better:1  worse:A  equal  compared with the other system (the best of the others)
//   id:x  number:17

/** The parts of a query: [{ text, negated, quoted }]. Quotation marks group words; \" is a literal quotation mark. */
function queryParts(query) {
  const parts = [];
  for (const match of query.matchAll(/(-?)((?:[^\s"]|"(?:\\["\\]|[^"])*"?)+)/gu)) {
    const text = match[2].replace(/"((?:\\["\\]|[^"])*)"?/gu, (_, inner) => inner.replace(/\\(["\\])/gu, '$1'));
    if (text) parts.push({ text, negated: match[1] === '-', quoted: match[2].startsWith('"'), source: match[0] });
  }
  return parts;
}

/** A part of a query with input text. */
function queryPart(key, value) {
  const text = String(value);
  return /[\s"]|^-/u.test(text) ? `${key}:"${text.replace(/["\\]/gu, '\\$&')}"` : `${key}:${text}`;
}

/** The index of a system by its number from 1, or by its name; -1 if there is none. */
function namedSystem(data, name) {
  const { systems } = data.main;
  return /^\d+$/u.test(name) && systems[name - 1] ? name - 1 : systems.findIndex((system) => system.name === name);
}

/** The query with a part that replaces parts with the same key; `score@` is the key of all parts with a system. */
function withPart(query, key, part) {
  const start = new RegExp(`^-?${key}${key.endsWith('@') ? '' : '[:<>=]'}`, 'u');
  const kept = queryParts(query).filter((old) => old.quoted || !start.test(old.source)).map((old) => old.source);
  return (part ? [...kept, part] : kept).join(' ');
}

function bounds(operator, text) {
  const [, first, second] = /^(-?\d*\.?\d+)(?:[-–](-?\d*\.?\d+))?$/u.exec(text) ?? [];
  if (first === undefined || (second !== undefined && operator !== ':')) return null;
  const [low, high] = [Number(first), Number(second)];
  if (second !== undefined) return (value) => value >= low && value <= high;
  const close = 1e-6;
  return {
    '<': (value) => value < low,
    '>': (value) => value > low,
    '<=': (value) => value <= low + close,
    '>=': (value) => value >= low - close,
  }[operator] ?? ((value) => Math.abs(value - low) < close);
}

/** The numbers of labels that match, with or without their functions. */
function labelNumbers(data, wanted) {
  const numbers = new Set();
  data.main.labels.forEach((label, number) => {
    const plain = /^[^-=]+/u.exec(label);
    if (label === wanted || (plain && plain[0] === wanted)) numbers.add(number);
  });
  return numbers;
}

/** The score of a system minus the best score of the others; null if undefined. */
function advantage(data, system, metric, index) {
  let best = null;
  for (let other = 0; other < data.main.systems.length; other++) {
    if (other === system) continue;
    const score = data.score(other, metric, index);
    if (score !== null && (best === null || score > best)) best = score;
  }
  const own = data.score(system, metric, index);
  if (own === null || best === null) return null;
  return own - best;
}

/** A part of a query that cannot be followed: it is left out, and the message is shown. */
class QueryProblem {
  constructor(message) {
    this.message = message;
  }
}

const needsNumber = (key, example) => new QueryProblem(`${key} needs a number or a range, such as ${example}`);

/** The numbered score of a part, `score@2`; a problem if there is no such system. */
function systemOf(data, state, name) {
  if (name === undefined) return state.system;
  const system = namedSystem(data, name);
  if (system >= 0) return system;
  return new QueryProblem(`There is no system “${name}”; the systems are ${data.main.systems.map((known, number) => `${number + 1} (${known.name})`).join(', ')}`);
}

function scoreTest(data, state, { about, operator, value }) {
  const { metric } = state;
  const system = systemOf(data, state, about);
  if (system instanceof QueryProblem) return system;
  const other = /^score@(.*)$/su.exec(value);
  if (!other) {
    const test = bounds(operator, value);
    if (!test) return needsNumber('score', 'score<50 or score:20-30');
    return (index) => {
      const score = data.score(system, metric, index);
      return score !== null && test(Math.round(score * 1e6) / 1e4);
    };
  }
  const second = systemOf(data, state, other[1]);
  if (second instanceof QueryProblem) return second;
  return (index) => {
    const scores = [data.score(system, metric, index), data.score(second, metric, index)];
    return !scores.includes(null) && bounds(operator, '0')(scores[0] - scores[1]);
  };
}

function betterTest(data, state, { key, value }) {
  const system = systemOf(data, state, value);
  if (system instanceof QueryProblem) return system;
  const sign = key === 'better' ? 1 : -1;
  return (index) => {
    const difference = advantage(data, system, state.metric, index);
    return difference !== null && difference * sign > 0;
  };
}

/** A test for sentences with one of these labels, pairs of labels or classes, from the lists of all sentences. */
const listed = (sets, wanted) => sets?.having(wanted) ?? (() => false);

function labelTest(sets) {
  return (data, { system, metric }, { value }) => listed(sets(data)[system][metric], labelNumbers(data, value));
}

function confusedTest(data, { system, metric }, { value }) {
  if (!value.includes('>')) return new QueryProblem('label needs two labels, such as label:NP>VP');
  const pairs = new Set();
  data.main.confusions.forEach(([gold, test], number) => {
    if (`${data.main.labels[gold]}>${data.main.labels[test]}` === value) pairs.add(number);
  });
  return listed(data.confused[system][metric], pairs);
}

function classTest(data, { system }, { value }) {
  const names = data.main.classes?.names ?? [];
  const numbers = names.flatMap((name, number) => (name.toLowerCase() === value.toLowerCase() ? [number] : []));
  if (numbers.length) return data.classes[system].having(new Set(numbers));
  return new QueryProblem(names.length ? `There is no error class “${value}”; the classes are ${names.join(', ')}` : 'This page has no error classes');
}

function problemTest(data, _, { value }) {
  const wanted = value.toLowerCase();
  return (index) => data.problemCodes.get(index)?.some((code) => code.toLowerCase() === wanted) ?? false;
}

function idTest(data, _, { value }) {
  const exact = data.find(value);
  return exact >= 0 ? (index) => index === exact : (index) => data.name(index).toLowerCase().includes(value.toLowerCase());
}

/** A test for a key with a number. */
function numberTest(example, number) {
  return (data, state, { key, operator, value }) => {
    const test = bounds(operator, value);
    return test ? (index) => test(number(data, state, index)) : needsNumber(key, example);
  };
}

/** The keys of the query language. Each returns a test of sentences, or a problem. */
const KEYS = {
  score: scoreTest,
  length: numberTest('length>20 or length:5-10', (data, { system, metric }, index) => data.length(system, metric, index)),
  missing: labelTest((data) => data.missing),
  extra: labelTest((data) => data.extra),
  label: confusedTest,
  class: classTest,
  problem: problemTest,
  better: betterTest,
  worse: betterTest,
  id: idTest,
  number: numberTest('number:17 or number:1-100', (data, state, index) => index + 1),
};

/** Words with a meaning of their own, unless they are in quotation marks. */
const FLAGS = {
  problem: (data) => (index) => data.problemCodes.has(index),
  unscored: (data, { system, metric }) => (index) => data.score(system, metric, index) === null,
  equal: (data, { system, metric }) => (index) => advantage(data, system, metric, index) === 0,
};

/** A test of sentences for this part, or a problem. */
function partTest(data, state, { text, quoted }) {
  const [, key, about, operator, value] = /^([A-Za-z]\w*)(?:@([^<>:=]*))?(<=|>=|[<>:=])(.*)$/su.exec(text) ?? [];
  if (!quoted && key !== undefined) {
    if (Object.hasOwn(KEYS, key)) return KEYS[key](data, state, { key, about, operator, value });
    return new QueryProblem(`There is no key “${key}”; the keys are ${Object.keys(KEYS).join(', ')}. Quotation marks search for the text: "${text}"`);
  }
  if (!quoted && Object.hasOwn(FLAGS, text) && (text !== 'equal' || data.main.systems.length > 1)) return FLAGS[text](data, state);
  const wanted = text.toLowerCase();
  return (index) => data.searchable[index].includes(wanted);
}

/** The sentences that match a query, and messages on its parts that cannot be followed, which are left out. */
function filtered(data, state) {
  data.searchable ??= data.words.map((words, index) => {
    const text = words.replaceAll('\t', ' ').toLowerCase();
    return data.ids ? `${text}\n${data.ids[index].toLowerCase()}` : text;
  });
  const problems = [], tests = [];
  for (const part of queryParts(state.query)) {
    const test = partTest(data, state, part);
    if (test instanceof QueryProblem) problems.push(test.message);
    else tests.push(part.negated ? (index) => !test(index) : test);
  }
  const matches = [];
  for (let index = 0; index < data.count; index++) if (tests.every((test) => test(index))) matches.push(index);
  return { matches, problems };
}

/** Sentences in the order of a column; sentences without a value come last. */
function sorted(data, state, indices) {
  const descending = state.sort.startsWith('-');
  const column = state.sort.replace(/^-/u, '');
  const key = sortKey(data, state, column);
  const values = new Float64Array(data.count);
  for (const index of indices) values[index] = key(index) ?? NaN;
  return indices.sort((a, b) => {
    const [left, right] = [values[a], values[b]];
    if (Number.isNaN(left) || Number.isNaN(right)) return Number.isNaN(left) - Number.isNaN(right) || a - b;
    return (descending ? right - left : left - right) || a - b;
  });
}

function sortKey(data, state, column) {
  if (column === 'number') return (index) => index;
  if (column === 'length') return (index) => data.length(state.system, state.metric, index);
  if (column === 'advantage') return (index) => advantage(data, state.system, state.metric, index);
  const system = Number(column.slice('score'.length));
  return (index) => data.score(system, state.metric, index);
}
