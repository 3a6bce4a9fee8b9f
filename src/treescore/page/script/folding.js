// Which nodes can be folded: their subtrees are right on both sides, under all systems that are shown.

/** For each node, one more than the last node below it. */
function endsOfSubtrees(tree) {
  const ends = tree.labels.map((_, node) => node + 1);
  for (let node = tree.size - 1; node >= 0; node--) {
    const parent = tree.parents[node];
    if (parent >= 0) ends[parent] = Math.max(ends[parent], ends[node]);
  }
  return ends;
}

const isRight = (node) => node.mark === 'ignored' || (node.mark === 'aligned' && node.iou === 1);

/** For each node: are it and all nodes below right? */
function rightSubtrees(tree, nodes) {
  const right = nodes.map(isRight);
  for (let node = tree.size - 1; node >= 0; node--) {
    const parent = tree.parents[node];
    if (parent >= 0 && !right[node]) right[parent] = false;
  }
  return right;
}

/** A test for gold nodes whose subtree has the same nodes in the tree of one system. */
function foldableIn(gold, panel, goldNodes, goldEnds, isTimed) {
  const { tree, nodes } = panel;
  const [goldRight, right, ends] = [rightSubtrees(gold, goldNodes), rightSubtrees(tree, nodes), endsOfSubtrees(tree)];
  const isOneRange = (side, node) => side.runs(node).length === 1;
  const partnersInside = (side, [from, to], [first, last]) => side.slice(from, to)
    .every((node) => node.mark !== 'aligned' || (node.partner >= first && node.partner < last));
  return (node) => {
    const { mark, partner } = goldNodes[node];
    if (mark !== 'aligned' || !goldRight[node] || !right[partner] || tree.isPreterminal[partner]) return false;
    if (!isTimed && (gold.firsts[node] !== tree.firsts[partner] || gold.lasts[node] !== tree.lasts[partner])) return false;
    const [own, other] = [[node, goldEnds[node]], [partner, ends[partner]]];
    return isOneRange(gold, node) && isOneRange(tree, partner)
      && partnersInside(goldNodes, own, other) && partnersInside(nodes, other, own);
  };
}

/**
 * The topmost gold nodes that can be folded, without nodes over the whole sentence. Words of a folded node share a
 * place, so their columns must be the same for all panels.
 */
function foldableNodes(panels, isTimed) {
  const [{ tree: gold, nodes: outcomes }, ...tests] = panels;
  if (!tests.length || outcomes.some((side) => side[0]?.mark === 'plain')) return [];
  const goldEnds = endsOfSubtrees(gold);
  const checks = tests.map((panel, place) => foldableIn(gold, panel, outcomes[place], goldEnds, isTimed));
  const numbers = isTimed ? null : columnNumbers(panels);
  const sameColumns = (from, to) => numbers === null || numbers.every((own) => (
    own.slice(from, to).every((column, place) => column === numbers[0][from + place])));
  const found = [];
  for (let node = 0; node < gold.size;) {
    const [first, last] = [gold.firsts[node], gold.lasts[node]];
    const isPart = last > first && last - first < gold.words.length && !gold.isPreterminal[node];
    if (isPart && checks.every((check) => check(node)) && sameColumns(first, last)) {
      found.push(node);
      node = goldEnds[node];
    } else node += 1;
  }
  return found;
}
