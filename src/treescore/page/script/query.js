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

/** A test of sentences for this part. */
function partTest(data, state, { text, quoted }) {
  const { system, metric } = state;
  const [, key, about, operator, value] = /^(\w+)(?:@([^<>:=]*))?(<=|>=|[<>:=])(.*)$/su.exec(text) ?? [];
  const named = (name) => namedSystem(data, name);
  const labelled = (sets, wanted) => sets[system][metric]?.having(wanted) ?? (() => false);
  if (!quoted && key) {
    const test = bounds(operator, value);
    const scored = about === undefined ? system : named(about);
    if (key === 'score' && test && scored >= 0) {
      return (index) => {
        const score = data.score(scored, metric, index);
        return score !== null && test(Math.round(score * 1e6) / 1e4);
      };
    }
    const other = /^score@(.*)$/su.exec(value);
    if (key === 'score' && other && scored >= 0 && named(other[1]) >= 0) {
      return (index) => {
        const scores = [data.score(scored, metric, index), data.score(named(other[1]), metric, index)];
        return !scores.includes(null) && bounds(operator, '0')(scores[0] - scores[1]);
      };
    }
    if (key === 'length' && test) return (index) => test(data.length(system, metric, index));
    if (key === 'number' && test) return (index) => test(index + 1);
    if (operator === ':') {
      const wanted = value.toLowerCase();
      if (key === 'missing') return labelled(data.missing, labelNumbers(data, value));
      if (key === 'extra') return labelled(data.extra, labelNumbers(data, value));
      if (key === 'label' && data.main.confusions) {
        const pairs = new Set();
        data.main.confusions.forEach(([gold, test], number) => {
          if (`${data.main.labels[gold]}>${data.main.labels[test]}` === value) pairs.add(number);
        });
        return labelled(data.confused, pairs);
      }
      if (key === 'class' && data.main.classes) {
        const numbers = data.main.classes.names.flatMap((name, n) => (name.toLowerCase() === wanted ? [n] : []));
        return data.classes[system].having(new Set(numbers));
      }
      if (key === 'problem') {
        return (index) => data.problemCodes.get(index)?.some((code) => code.toLowerCase() === wanted) ?? false;
      }
      if (key === 'id') {
        const exact = data.find(value);
        return exact >= 0 ? (index) => index === exact : (index) => data.name(index).toLowerCase().includes(wanted);
      }
      if ((key === 'better' || key === 'worse') && named(value) >= 0) {
        const sign = key === 'better' ? 1 : -1;
        return (index) => {
          const difference = advantage(data, named(value), metric, index);
          return difference !== null && difference * sign > 0;
        };
      }
    }
  }
  if (!quoted && text === 'problem') return (index) => data.problemCodes.has(index);
  if (!quoted && text === 'unscored') return (index) => data.score(system, metric, index) === null;
  if (!quoted && text === 'equal' && data.main.systems.length > 1) {
    return (index) => advantage(data, system, metric, index) === 0;
  }
  const wanted = text.toLowerCase();
  return (index) => data.searchable[index].includes(wanted);
}

/** The sentences that match a query. */
function filtered(data, state) {
  data.searchable ??= data.words.map((words, index) => {
    const text = words.replaceAll('\t', ' ').toLowerCase();
    return data.ids ? `${text}\n${data.ids[index].toLowerCase()}` : text;
  });
  const tests = queryParts(state.query).map((part) => {
    const test = partTest(data, state, part);
    return part.negated ? (index) => !test(index) : test;
  });
  const matches = [];
  for (let index = 0; index < data.count; index++) if (tests.every((test) => test(index))) matches.push(index);
  return matches;
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
