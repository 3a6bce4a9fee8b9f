// The reasons for a score: the loss of each node, grouped by errors. The groups add up to the whole loss.

/** Maximum number of listed losses of a group. */
const MOST_LOSSES = 200;
/** Aligned nodes that lose at least this much are marked like errors. */
const MUCH = 0.25;

const tidy = (value) => String(Number(value.toFixed(2)));
const points = (cost) => (cost >= 0.00005 || cost === 0 ? (100 * cost).toFixed(2) : '<0.01');

/**
 * The loss of each node: 1 − IoU for an aligned pair, 0.5 for an unaligned node, 1 for two with the same span.
 * Null if no nodes are counted.
 */
function lossesOf([gold, test], [goldNodes, testNodes], places, axis) {
  const counts = [goldNodes, testNodes].map((side) => side.filter((node) => !['ignored', 'plain'].includes(node.mark)).length);
  if (!counts[0] && !counts[1]) return null;
  let sum = 0;
  const list = [];
  const trees = [gold, test];
  const ends = trees.map((tree, side) => (node) => endsOf(tree, node, places[side]));
  const time = (side, node) => {
    const { times } = trees[side];
    if (axis.unit !== 's' && !times) return null;
    const [start, end] = axis.unit === 's' ? ends[side](node) : endsOf(trees[side], node, times);
    return `${start.toFixed(2)}–${end.toFixed(2)} s`;
  };
  const named = (side, node) => {
    const shown = time(side, node);
    return [`${shortWord(trees[side].labels[node])} ${shown ? '' : 'over '}“`, { input: trees[side].phrase(node) }, shown ? `” ${shown}` : '”'];
  };
  // If only the times of two aligned nodes differ, the second is just its time.
  const aligned = (node, partner) => {
    const same = gold.labels[node] === test.labels[partner] && gold.phrase(node) === test.phrase(partner);
    return same && time(0, node) && time(1, partner) ? [...named(0, node), `, test ${time(1, partner)}`]
      : [...named(0, node), ' is aligned with ', ...named(1, partner)];
  };
  const add = (kind, amount, nodes, words) => {
    const [side, node] = nodes[0];
    const [start, end] = ends[side](node);
    list.push({ kind, amount, nodes, words, start, end, side, isTag: nodes.every(([place, number]) => trees[place].isPreterminal[number]) });
  };
  const crossed = (node, side) => {
    if (!node.crossing) return [];
    const others = side ? goldNodes : testNodes;
    const other = gold.hasGaps || test.hasGaps ? null
      : crossedBy(ends[side](node.number), others, ends[1 - side], axis.tolerance);
    if (other === null) return ['; it crosses a node of the other tree'];
    return ['; it crosses ', ...named(1 - side, other), side ? ' of gold' : ' of test'];
  };
  for (const node of goldNodes) {
    const { number, partner, twin } = node;
    if (node.mark === 'aligned') {
      sum += node.iou;
      if (node.iou < 1) {
        add('aligned', 1 - node.iou, [[0, number], [1, partner]],
          [...aligned(number, partner), `, IoU ${shareText(node.iou)}`]);
      }
    } else if (node.mark === 'missing' && twin !== null) {
      add('label', 1, [[0, number], [1, twin]], [...named(0, number), ` is missing, test has ${shortWord(test.labels[twin])} there`]);
    } else if (node.mark === 'missing') {
      add('missing', 0.5, [[0, number]], [...named(0, number), ' is missing', ...crossed(node, 0)]);
    }
  }
  for (const node of testNodes) {
    if (node.mark !== 'extra' || node.twin !== null) continue;
    add('extra', 0.5, [[1, node.number]], [...named(1, node.number), ' is extra', ...crossed(node, 1)]);
  }
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

/**
 * The smallest counted node of the other tree over the start, or else over the end; null if there is none. Boundaries
 * that differ by up to the tolerance do not cross.
 */
function crossedBy([start, end], others, ends, tolerance) {
  const over = (place) => {
    let crossed = null, least = Infinity;
    for (const node of others) {
      if (node.mark === 'ignored') continue;
      const [from, to] = ends(node.number);
      if (from < place - tolerance && place + tolerance < to && to - from <= least) [crossed, least] = [node.number, to - from];
    }
    return crossed;
  };
  for (const [place, side] of [[start, 1], [end, 0]]) {
    const crossed = over(place);
    if (crossed === null) continue;
    const other = ends(crossed)[side];
    if (start + tolerance < other && other < end - tolerance) return crossed;
  }
  return null;
}

/** Sentences for losses that belong to no error class. */
const KINDS = {
  missing: (isTag) => `Missing ${isTag ? 'tags' : 'phrases'}: only in gold`,
  extra: (isTag) => `Extra ${isTag ? 'tags' : 'phrases'}: not in gold`,
  label: (isTag, isTimed) => (isTag ? `Another tag ${isTimed ? 'at the same time' : 'on the same word'}` : `Another label ${isTimed ? 'at the same time' : 'over the same words'}`),
  aligned: (isTag, isTimed) => `${isTag ? 'Tags' : 'Phrases'} over other ${isTimed ? 'times' : 'words'} than in gold`,
};

/** Losses in groups, the largest first: one for each step of the repair, and one for each other kind of loss. */
function groupsOf(losses, steps, isTimed) {
  const stepOf = [new Map(), new Map()];
  steps.forEach(({ nodes }, number) => nodes.forEach(([side, node]) => stepOf[side].set(node, number)));
  const groups = new Map();
  for (const loss of losses) {
    const number = loss.nodes.map(([side, node]) => stepOf[side].get(node)).find((step) => step !== undefined);
    const key = number ?? `${loss.kind}${loss.isTag}`;
    if (!groups.has(key)) {
      const step = number === undefined ? null : steps[number];
      groups.set(key, { step, words: step ? step.words : [KINDS[loss.kind](loss.isTag, isTimed)], losses: [], amount: 0 });
    }
    groups.get(key).losses.push(loss);
    groups.get(key).amount += loss.amount;
  }
  return [...groups.values()].sort((a, b) => b.amount - a.amount || a.losses[0].start - b.losses[0].start);
}
