/**
 * Rule and list of what is bound to the shape of the arm, as the base of a later description of
 * other arms. `arrangement` needs new code for joints arranged otherwise; `values` follows other
 * lengths, masses and bodies in arm-model.json; `drawing` has shapes of its own. The number of
 * joints, six, is bound everywhere, from the API on.
 */
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { isTest, liesIn } from './tree.mjs';

/** @typedef {import('./tree.mjs').Tree} Tree */
/** @typedef {'arrangement' | 'values' | 'drawing'} Binding */
/**
 * @typedef {{ chain: { joints: readonly { offset_m: readonly number[], axis: string }[] },
 *   flange: { offset_m: readonly number[] } }} ArmModel
 */

const ARM_MODEL = 'physics/arm/arm-model.ts';
const GEOMETRY = 'physics/arm/geometry.ts';
const MODEL_DATA = 'physics/arm/arm-model.json';

/** Names of arm-model.ts that describe the shape; geometry.ts describes nothing else. */
const SHAPE_NAMES = new Set([
  'OFFSETS_M',
  'FLANGE_M',
  'SHOULDER_HEIGHT_M',
  'SHOULDER_OFFSET_M',
  'UPPER_ARM_M',
  'FOREARM_OFFSET_M',
  'FOREARM_M',
  'ELBOW_TO_WRIST_M',
  'WRIST_OFFSET_M',
  'WRIST_TO_FLANGE_M',
  'TURNS_ABOUT_Z',
  'FRAME_NAMES',
  'LINK_MASSES',
  'LinkMass',
]);

/** Every file that is bound to the shape, and how. @type {Readonly<Record<string, Binding>>} */
const BOUND_TO_SHAPE = {
  'physics/arm/arm-model.ts': 'arrangement',
  'physics/arm/geometry.ts': 'values',
  'physics/cell/check-cell.ts': 'values',
  'physics/collision/contact.ts': 'values',
  'physics/collision/collision-check.ts': 'values',
  'physics/collision/scene.ts': 'values',
  'physics/dynamics/inertia.ts': 'values',
  'physics/dynamics/arm-dynamics.ts': 'values',
  'physics/formats/cell-parts.ts': 'values',
  'physics/formats/gltf.ts': 'values',
  'physics/formats/gltf-meshes.ts': 'values',
  'physics/formats/mjcf.ts': 'values',
  'physics/formats/urdf.ts': 'values',
  'physics/kinematics/axis-passages.ts': 'arrangement',
  'physics/kinematics/condition-loop.ts': 'arrangement',
  'physics/kinematics/jacobian.ts': 'arrangement',
  'physics/kinematics/reach-windows.ts': 'arrangement',
  'physics/kinematics/tracking.ts': 'arrangement',
  'physics/kinematics/solution-search.ts': 'arrangement',
  'physics/kinematics/wrist-condition.ts': 'arrangement',
  'physics/kinematics/forward.ts': 'values',
  'physics/plant/environment-forces.ts': 'values',
  'physics/plant/joint-forces.ts': 'values',
  'physics/plant/rapier-arm.ts': 'values',
  'server/recording/channels.ts': 'values',
  'server/recording/dynamics-fit.ts': 'values',
  'server/recording/scenes.ts': 'values',
  'server/simulation/watches.ts': 'values',
  'viewer/collision/proximity.ts': 'values',
  'viewer/scene/arm-parts.ts': 'drawing',
  'viewer/scene/arm-shells.ts': 'drawing',
  'viewer/scene/arm.ts': 'values',
  'viewer/scene/cell-bodies.ts': 'values',
  'viewer/scene/cell-fixtures.ts': 'values',
  'viewer/scene/collision-shapes.ts': 'values',
  'viewer/scene/deck-layer.ts': 'values',
  'viewer/scene/ghost.ts': 'values',
};

/**
 * The arrangement that the closed forms presume: the axis of each joint, and the directions in
 * which it may lie away from the joint before it.
 */
const ARRANGEMENT = [
  { axis: '+z', along: 'z' },
  { axis: '-y', along: 'xz' },
  { axis: '-y', along: 'z' },
  { axis: '+z', along: 'xz' },
  { axis: '-y', along: 'z' },
  { axis: '+z', along: 'xz' },
];

/** @param {string} name @param {readonly number[]} offset_m @param {string} along */
function offsetProblems(name, offset_m, along) {
  const astray = ['x', 'y', 'z'].filter((axis, i) => offset_m[i] !== 0 && !along.includes(axis));
  return astray.map((axis) => `${name} lies off along ${axis}`);
}

/** What the closed forms cannot describe of a model. @param {ArmModel} model */
export function arrangementProblems({ chain: { joints }, flange }) {
  const count = ARRANGEMENT.length;
  const problems = joints.length === count ? [] : [`${joints.length} joints instead of ${count}`];
  for (const [j, { axis, along }] of ARRANGEMENT.entries()) {
    const joint = joints[j];
    if (joint === undefined) continue;
    if (joint.axis !== axis) problems.push(`joint ${j} turns about ${joint.axis}, not ${axis}`);
    problems.push(...offsetProblems(`joint ${j}`, joint.offset_m, along));
  }
  problems.push(...offsetProblems('the flange', flange.offset_m, 'z'));
  return problems.map((text) => `${MODEL_DATA}: ${text}; the closed forms need new code`);
}

/** Names that a file imports. @param {import('./source.mjs').Source} source */
function importedNames({ path, program }) {
  /** @type {{ target: string, name: string }[]} */
  const found = [];
  for (const node of program['body']) {
    if (!node['source']) continue;
    const target = posix.join(posix.dirname(path), node['source'].value);
    for (const { imported, local } of node['specifiers'] ?? []) {
      found.push({ target, name: (imported ?? local).name });
    }
  }
  return found;
}

/** Whether a file reads the shape of the arm. @param {Tree} tree @param {string} path */
function readsShape(tree, path) {
  return importedNames(/** @type {import('./source.mjs').Source} */ (tree.files.get(path))).some(
    ({ target, name }) => target === GEOMETRY || (target === ARM_MODEL && SHAPE_NAMES.has(name)),
  );
}

/** @param {Tree} tree @param {Readonly<Record<string, Binding>>} [bound] */
export function shapeProblems(tree, bound = BOUND_TO_SHAPE) {
  const product = ['physics', 'bridge', 'server', 'viewer', 'contract'];
  const paths = [...tree.files.keys()].filter(
    (path) => !isTest(path) && product.some((place) => liesIn(path, place)),
  );
  const unlisted = paths.filter((path) => bound[path] === undefined && readsShape(tree, path));
  const listed = Object.keys(bound);
  const absent = listed.filter((path) => !tree.files.has(path));
  const free = listed.filter(
    (path) =>
      bound[path] === 'values' &&
      path !== GEOMETRY &&
      tree.files.has(path) &&
      !readsShape(tree, path),
  );
  const where = 'BOUND_TO_SHAPE of tools/arch-lint/arm-shape.mjs';
  return [
    ...unlisted.map((path) => `${path}: reads the shape of the arm; list it in ${where}`),
    ...absent.map((path) => `${path}: does not exist; remove it from ${where}`),
    ...free.map((path) => `${path}: reads no shape any more; remove it from ${where}`),
  ];
}

/** @param {Tree} tree */
export function armShape(tree) {
  const model = JSON.parse(readFileSync(join(tree.root, MODEL_DATA), 'utf8'));
  const problems = [...shapeProblems(tree), ...arrangementProblems(model)];
  return { checked: Object.keys(BOUND_TO_SHAPE).length, problems };
}
