/**
 * Collision geometry of the arm, flat for hot loops: twelve capsules in the joint frames, the pairs
 * of links that can collide, and the largest distance of each link from each axis. Data of
 * arm.json. §2.6, §2.7.
 */
import { ARM } from '../../arms/bound-arm.ts';

const data = ARM.collision;

/** Link numbers: 0 is the base, 1 to 6 the moving links, 7 the tool. */
export const TOOL_LINK = 7;
export const LINK_NAMES: readonly string[] = [
  'base',
  'link 1',
  'link 2',
  'link 3',
  'link 4',
  'link 5',
  'link 6',
  'tool',
];

export const CAPSULE_COUNT = data.capsules.length;
/** Link of each capsule. */
export const CAPSULE_LINK = Int32Array.from(data.capsules, (capsule) => capsule.link);
/** Both ends of each capsule's axis in its link's joint frame (m), six numbers a capsule. */
export const CAPSULE_ENDS_M = Float64Array.from(
  data.capsules.flatMap((capsule) => [...capsule.from_m, ...capsule.to_m]),
);
export const CAPSULE_RADIUS_M = Float64Array.from(data.capsules, (capsule) => capsule.radius_m);

/**
 * Pairs of links that can collide within the joint limits; neighbours always overlap and are left
 * out.
 */
export const SELF_PAIRS: readonly (readonly [number, number])[] = data.self_pairs.map((pair) => [
  pair[0]!,
  pair[1]!,
]);
/** Links that a tool can collide with. */
export const TOOL_PAIRS: readonly number[] = data.tool_pairs;

/**
 * Largest distance of the capsules of a link (column, from 1) and of the flange centre (column 7)
 * from an axis (row, from 0), with guard (m).
 */
export const AXIS_REACH_M: readonly Float64Array[] = data.axis_reach_m.map((row) =>
  Float64Array.from([0, ...row], (reach_m) => reach_m + data.axis_reach_guard_m),
);
/** Column of the flange centre. */
export const FLANGE_REACH = 7;

/** First capsule of each link, then the capsule count: the capsules of a link are contiguous. */
export const FIRST_CAPSULE: readonly number[] = Array.from({ length: 8 }, (_, link) => {
  const first = data.capsules.findIndex((capsule) => capsule.link >= link);
  return first < 0 ? data.capsules.length : first;
});
