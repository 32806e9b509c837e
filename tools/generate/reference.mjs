/**
 * Generates the tables of docs/reference from the contract. A table is between two lines,
 * `<!-- generated: NAME ARGUMENT -->` and `<!-- end -->`; the text around it is written by hand.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { tsImport } from 'tsx/esm/api';
import {
  deviationSections,
  fieldTable,
  limitRows,
  limitTable,
  shareTable,
  table,
} from './tables.mjs';

const FOLDER = 'docs/reference';
const BLOCK = /(<!-- generated: (\S+) ?([^\n]*?) -->\n)[\s\S]*?(<!-- end -->)/g;

/** Meaning of each motion error code; `jN` stands for the joints j0 to j5. */
const MOTION_ERROR_MEANINGS = /** @type {Record<string, string>} */ ({
  unknown: 'unknown error',
  shoulder_singularity: 'the wrist centre is on the axis of joint 1',
  shoulder_singularity_warning: 'the wrist centre is close to the axis of joint 1',
  elbow_singularity: 'the elbow is stretched or folded',
  elbow_singularity_warning: 'the elbow is nearly stretched or folded',
  wrist_singularity: 'the axes of joints 4 and 6 are in line',
  wrist_singularity_warning: 'the axes of joints 4 and 6 are nearly in line',
  singularity: 'another singularity',
  ik_failure: 'inverse kinematics found no solution',
  analytical_ik_failure: 'the closed-form inverse kinematics found no solution',
  jN_boundary_limit: 'the joint would leave its range',
  reach_limit: 'the pose is out of reach',
  velocity_calculation_error: 'the velocities could not be computed',
  acceleration_calculation_error: 'the accelerations could not be computed',
  linear_path_calculation_error: 'the straight line could not be computed',
  cubic_path_calculation_error: 'the spline could not be computed',
  jN_angular_velocity_limit: 'the joint would be too fast',
  jN_angular_acceleration_limit: 'the joint would accelerate too much',
  ee_over_speed: 'the end effector would be too fast',
  ee_over_acceleration: 'the end effector would accelerate too much',
  ee_over_energy: 'the end effector would have too much energy',
  jN_over_energy: 'the joint would have too much energy',
  plane_collision: 'the arm would hit the ground',
  self_collision: 'the arm or its tool would hit the arm',
  object_collision: 'the arm would enter an avoidance zone, or leave an `outside` one',
  generation_error: 'the segment could not be generated',
  result_generation_error: 'the result of the segment could not be generated',
  time_too_short: 'the requested time is shorter than the limits allow',
  time_too_short_switched_to_min_time: 'the requested time was too short; the minimum is used',
  too_few_waypoints: 'the segment has too few waypoints',
  too_many_waypoints: 'the segment has too many waypoints',
  could_not_calculate_min_time: 'the minimum time could not be computed',
});

/** One row for the codes of the six joints. @param {readonly string[]} codes */
function motionErrorTable(codes) {
  return table(
    ['code', 'meaning'],
    [...new Set(codes.map((one) => one.replace(/^j\d_/, 'jN_')))].map((one) => {
      const meaning = MOTION_ERROR_MEANINGS[one];
      if (meaning === undefined) throw new Error(`tools/generate/reference.mjs: describe ${one}`);
      return [`\`${one}\``, meaning];
    }),
  );
}

/** @param {string} path */
const load = (path) => tsImport(`../../contract/${path}`, import.meta.url);

/** The contract of the working tree. */
async function contractParts() {
  const parts = await Promise.all(
    [
      'schemas.ts',
      'api-docs/field-notes.ts',
      'errors.ts',
      'motion-errors.ts',
      'robot-states.ts',
      'limits.ts',
      'shares.ts',
      '../conformance/deviations.ts',
    ].map(load),
  );
  return Object.assign({}, ...parts);
}

/**
 * @typedef {Record<string, (argument: string) => string>} Tables the tables by name; each takes the
 *   argument of its marker
 */

/** @param {Record<string, any>} contract @returns {Tables} */
function schemaTables(contract) {
  const { schemaOf, resolved, documentNotes } = contract;
  return {
    schema: (name) => fieldTable(resolved(schemaOf(name)), documentNotes(name, schemaOf(name))),
  };
}

/** @param {Record<string, any>} contract @returns {Tables} */
function errorTables({ ERROR_ROWS, REFUSAL_PRECEDENCE, MOTION_ERRORS }) {
  const rows = Object.entries(/** @type {Record<string, any>} */ (ERROR_ROWS));
  const ordered = /** @type {string[]} */ (REFUSAL_PRECEDENCE);
  return {
    errors: () =>
      table(
        ['name', 'status', 'error_code', 'title'],
        rows.map(([name, { status, error_code, title }]) => [
          `\`${name}\``,
          `${status}`,
          `${error_code}`,
          title,
        ]),
      ),
    precedence: () => ordered.map((name, at) => `${at + 1}. \`${name}\`\n`).join(''),
    motion_errors: () => motionErrorTable(MOTION_ERRORS),
  };
}

/** @param {Record<string, any>} contract @returns {Tables} */
function stateTables({ ROBOT_STATES, ROBOT_TRIGGERS, stateAfter, ROBOT_COMMANDS, isAllowed }) {
  const states = /** @type {string[]} */ (ROBOT_STATES);
  const columns = states.map((one) => `\`${one}\``);
  return {
    transitions: () =>
      table(
        ['trigger', ...columns],
        ROBOT_TRIGGERS.map((/** @type {string} */ trigger) => [
          `\`${trigger}\``,
          ...states.map((state) => stateAfter(state, trigger) ?? ''),
        ]),
      ),
    commands: () =>
      table(
        ['command', ...columns],
        ROBOT_COMMANDS.map((/** @type {string} */ command) => [
          `\`${command}\``,
          ...states.map((state) => (isAllowed(command, state) ? 'yes' : '')),
        ]),
      ),
  };
}

/** @param {Record<string, any>} contract @returns {Tables} */
function tablesOf(contract) {
  const { limits } = contract;
  return {
    ...schemaTables(contract),
    ...errorTables(contract),
    ...stateTables(contract),
    deviations: () => deviationSections(contract['DEVIATIONS']),
    limits: () => limitTable(limitRows(readFileSync('contract/limits.ts', 'utf8'), limits)),
    shares: () => shareTable(contract.shares, contract.shareAlone),
  };
}

/**
 * The text with every generated block filled again.
 * @param {string} path
 * @param {string} text
 * @param {Tables} tables
 */
export function filled(path, text, tables) {
  return text.replace(BLOCK, (...[, start, name, argument, end]) => {
    const make = tables[name];
    if (make === undefined)
      throw new Error(`${path}: no table ${name}; there are ${Object.keys(tables).join(', ')}`);
    return `${start}\n${make(argument)}\n${end}`;
  });
}

/** The pages with current tables: path and text. */
export async function referencePages() {
  const tables = tablesOf(await contractParts());
  return readdirSync(FOLDER).map((name) => {
    const path = `${FOLDER}/${name}`;
    return /** @type {const} */ ([path, filled(path, readFileSync(path, 'utf8'), tables)]);
  });
}
