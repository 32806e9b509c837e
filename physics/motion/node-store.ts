/**
 * Node store of a path while it is tracked: all nodes in one array, because many more are evaluated
 * than a path keeps and an object for each would cost as much as computing it. §2.2.
 */
import type { PathTable } from './joint-path.ts';

/** Offset of a node's numbers: s, then q, dq/ds and d²q/ds² (six each). */
export type PathNode = number;
export const Q = 1;
export const Q1 = 7;
export const Q2 = 13;
export const PATH_NODE_SIZE = 19;

/** Numbers of every tracked node; `used` of them are filled. */
export interface NodeStore {
  held: Float64Array;
  used: number;
}

/** Initial capacity (nodes). */
const NODES_HELD = 128;

/** An empty store, for one path. */
export function createNodeStore(): NodeStore {
  return { held: new Float64Array(NODES_HELD * PATH_NODE_SIZE), used: 0 };
}

/** Adds a node without its second derivative; may replace `held`. */
export function addNode(store: NodeStore, s: number, q: Float64Array, q1: Float64Array): PathNode {
  const node = store.used;
  store.used += PATH_NODE_SIZE;
  if (store.used > store.held.length) {
    const held = new Float64Array(2 * store.held.length);
    held.set(store.held);
    store.held = held;
  }
  const { held } = store;
  held[node] = s;
  for (let j = 0; j < 6; j++) {
    held[node + Q + j] = q[j]!;
    held[node + Q1 + j] = q1[j]!;
  }
  return node;
}

/** Distance of the quintic between two nodes from the node tracked half-way (rad, worst joint). */
export function quinticError(
  held: Float64Array,
  a: PathNode,
  b: PathNode,
  middle: PathNode,
): number {
  const h = held[b]! - held[a]!;
  let worst = 0;
  for (let j = 0; j < 6; j++) {
    const q =
      (held[a + Q + j]! + held[b + Q + j]!) / 2 +
      (5 / 32) * h * (held[a + Q1 + j]! - held[b + Q1 + j]!) +
      ((h * h) / 64) * (held[a + Q2 + j]! + held[b + Q2 + j]!);
    worst = Math.max(worst, Math.abs(q - held[middle + Q + j]!));
  }
  return worst;
}

/** Converts nodes, given in order, to a path table with third derivatives. */
export function tableOf({ held }: NodeStore, nodes: readonly PathNode[]): PathTable {
  const n = nodes.length;
  const table: PathTable = {
    kind: 'table',
    s: new Float64Array(n),
    q: new Float64Array(6 * n),
    q1: new Float64Array(6 * n),
    q2: new Float64Array(6 * n),
    q3_left: new Float64Array(6 * n),
    q3_right: new Float64Array(6 * n),
  };
  for (let i = 0; i < n; i++) {
    const node = nodes[i]!;
    table.s[i] = held[node]!;
    for (let j = 0; j < 6; j++) {
      table.q[6 * i + j] = held[node + Q + j]!;
      table.q1[6 * i + j] = held[node + Q1 + j]!;
      table.q2[6 * i + j] = held[node + Q2 + j]!;
    }
  }
  for (let i = 0; i < n - 1; i++) fillThird(table, i);
  table.q3_left.set(table.q3_right.subarray(0, 6), 0);
  table.q3_right.set(table.q3_left.subarray(6 * n - 6), 6 * n - 6);
  return table;
}

/** Fills the third derivatives at both ends of interval `i` of the quintic. */
function fillThird(table: PathTable, i: number): void {
  const h = table.s[i + 1]! - table.s[i]!;
  for (let k = 6 * i; k < 6 * i + 6; k++) {
    const d = (table.q[k + 6]! - table.q[k]!) / h;
    const v0 = table.q1[k]!;
    const v1 = table.q1[k + 6]!;
    const a0 = table.q2[k]! * h;
    const a1 = table.q2[k + 6]! * h;
    table.q3_right[k] = (60 * d - 36 * v0 - 24 * v1 - 9 * a0 + 3 * a1) / (h * h);
    table.q3_left[k + 6] = (60 * d - 24 * v0 - 36 * v1 - 3 * a0 + 9 * a1) / (h * h);
  }
}
