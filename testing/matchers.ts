/** Matchers for `expect.extend` of Vitest and Jest. */

import { ROBOT_STATES, type RobotState } from '../contract/robot-states.ts';
import type { CellEvent, RobotEvent } from '../contract/types.generated.ts';
import { JOINT_LIMITS, type Twin, type TwinObject } from '../server/index.ts';

interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/** The robot states in the events, in order. */
export function statesIn(events: readonly RobotEvent[]): readonly string[] {
  return events.flatMap((event) => {
    const state = event.type === 'state_change' ? event.changes.control?.state : undefined;
    return state === undefined ? [] : [state];
  });
}

const MM_PER_M = 1000;

/** An object within this distance of a nest is in it (mm), unless the test says otherwise. */
const WITHIN_MM = 10;

/** What knows where objects are. */
type ObjectSource = Pick<Twin, 'cellObject'>;

/** An object, the place where it should be, and the tolerance. */
type ObjectPlace = [name: string, place: string, options?: { readonly within_mm?: number }];

/**
 * Checks one argument of a matcher, and throws an error that says what the matcher takes: beside a
 * wrong one, the matcher after `not` would hold by mistake.
 */
type ArgumentCheck = (value: unknown, matcher: string) => void;

interface MatcherArguments {
  /** A check for each argument: first what `expect` was given. */
  readonly checks: readonly ArgumentCheck[];
  /** How many of the last ones may be left out. */
  readonly optional?: number;
}

/** The matcher that compares only after all arguments are checked. */
function matcher<Given extends readonly unknown[]>(
  name: string,
  { checks, optional = 0 }: MatcherArguments,
  compare: (...given: Given) => MatcherResult,
): (...given: Given) => MatcherResult {
  return (...given) => {
    const needed = checks.length - optional;
    for (const [i, check] of checks.entries()) {
      if (i < needed || given[i] !== undefined) check(given[i], name);
    }
    if (given.length <= checks.length) return compare(...given);
    throw new Error(`${name} takes at most ${checks.length - 1} arguments`);
  };
}

function shown(value: unknown): string {
  return typeof value === 'string' ? `“${value}”` : String(value);
}

/** Throws for what is no twin, such as a fixture that holds one. */
const isTwin: ArgumentCheck = (value) => {
  if (value !== null && typeof value === 'object' && 'cellObject' in value) return;
  throw new Error('this matcher takes a twin, as in expect(twin)');
};

const isNameOf =
  (what: string): ArgumentCheck =>
  (value, name) => {
    if (typeof value === 'string' && value !== '') return;
    throw new Error(`${name} takes the name of ${what}, not ${shown(value)}`);
  };

/** Throws for an option that a matcher does not have: it would have no effect. */
const isPlaceOptions: ArgumentCheck = (value, name) => {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new Error(`${name} takes options such as { within_mm: 1 }, not ${shown(value)}`);
  }
  const unknown = Object.keys(value).find((key) => key !== 'within_mm');
  if (unknown === undefined) return;
  throw new Error(`${name} has no option “${unknown}”; it takes within_mm`);
};

const isState: ArgumentCheck = (value) => {
  if (ROBOT_STATES.some((state) => state === value)) return;
  const states = ROBOT_STATES.join(', ');
  throw new Error(`${String(value)} is no state of the robot; there are ${states}`);
};

const areStates: ArgumentCheck = (value, name) => {
  if (!Array.isArray(value)) throw new Error(`${name} takes a list of states, not ${shown(value)}`);
  for (const state of Array.from<unknown>(value)) isState(state, name);
};

const areEvents: ArgumentCheck = (value, name) => {
  if (!Array.isArray(value)) {
    throw new Error(`${name} takes the list of listen(), as in expect(events)`);
  }
  const wrong = Array.from<unknown>(value).findIndex(
    (event) => typeof Object(event).type !== 'string',
  );
  if (wrong < 0) return;
  throw new Error(`${name} takes the list of listen(), whose entry ${wrong} is no event`);
};

/** How far beyond its limits a joint may be pushed (rad): further, an angle is no angle of it. */
const BEYOND_LIMIT_RAD = 0.2;

const areAngles: ArgumentCheck = (value, name) => {
  if (!Array.isArray(value)) throw new Error(`${name} takes a list of angles (rad)`);
  const { min_rad, max_rad } = JOINT_LIMITS;
  if (value.length !== min_rad.length) {
    throw new Error(`the arm has ${min_rad.length} joints, not ${value.length}`);
  }
  for (const [j, angle] of Array.from<unknown>(value).entries()) {
    const joint = `${name}: J${j + 1}`;
    if (typeof angle !== 'number' || !Number.isFinite(angle)) {
      throw new Error(`${joint} needs a number of radians, not ${shown(angle)}`);
    }
    const [low, high] = [min_rad[j]!, max_rad[j]!];
    if (angle >= low - BEYOND_LIMIT_RAD && angle <= high + BEYOND_LIMIT_RAD) continue;
    const range = `${low.toFixed(2)} to ${high.toFixed(2)}`;
    throw new Error(`${joint} cannot be at ${angle}: angles are radians, and it has ${range}`);
  }
};

const isTolerance: ArgumentCheck = (value, name) => {
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return;
  throw new Error(`${name} takes a tolerance in radians, at least 0, not ${shown(value)}`);
};

/** The object; throws for one that the cell does not have: a negated matcher would hold. */
function objectOf(twin: ObjectSource, name: string): TwinObject {
  const object = twin.cellObject(name);
  if (!object) throw new Error(`the cell has no object “${name}”`);
  return object;
}

type ObjectGoal = Parameters<TwinObject['goalProblems']>[0];

/** Throws for a goal that can never be, beside which a negated matcher would hold. */
function requireGoal(object: TwinObject, goal: ObjectGoal): void {
  const problems = object.goalProblems(goal);
  if (problems.length === 0) return;
  throw new Error(problems.map(({ path, problem }) => `${path.slice(1)}: ${problem}`).join('; '));
}

function whereIs({ status, at, held_by, position: { x, y, z } }: TwinObject): string {
  if (held_by !== null) return `held by ${held_by}`;
  const place = [x, y, z].map((part) => part.toFixed(4)).join(', ');
  return at === null ? `${status} at (${place}) m` : `${status} at ${at}, (${place}) m`;
}

/** Why an object is not where it should be: how the last grasp ended, or what missed it. */
function whyLost({ events }: TwinObject): string {
  const grasp = events.findLastIndex(({ kind }) => kind === 'grasped' || kind === 'carried');
  const isLoss = (event: CellEvent) => isDrop(event) || event.kind === 'jammed';
  const after = events.slice(grasp + 1);
  const cause = after.find(isLoss) ?? after.findLast(({ kind }) => kind === 'missed');
  if (!cause) return grasp < 0 ? '; no gripper closed near it' : '';
  const text = cause.text.replace(/^.* missed: /, '');
  return `; ${grasp < 0 ? 'never grasped: ' : ''}${text} at ${cause.at_s.toFixed(2)} s`;
}

/** The loss, and the injected faults that may have caused it. */
function whyNot(object: TwinObject): string {
  const { faults } = object;
  return whyLost(object) + (faults.length > 0 ? `; injected faults: ${faults.join(', ')}` : '');
}

/** Whether the robot of a twin is in a state. */
function compareState(twin: Twin, state: RobotState): MatcherResult {
  const { state: now } = twin.snapshot().control;
  const pass = now === state;
  const text = pass ? 'but should not be' : `not ${state}`;
  return { pass, message: () => `the robot is ${now}, ${text}` };
}

function compareAngles(twin: Twin, joints: readonly number[], tolerance_rad = 1e-3): MatcherResult {
  const now = twin.snapshot()['servos.telemetry.position'];
  const off = joints.findIndex((angle, j) => !(Math.abs(angle - now[j]!) <= tolerance_rad));
  const pass = off < 0;
  const message = () =>
    pass
      ? `the arm is at ${joints.join(', ')}, but should not be`
      : `J${off + 1} is at ${now[off]}, not at ${joints[off]} (± ${tolerance_rad})`;
  return { pass, message };
}

function comparePlace(
  twin: ObjectSource,
  ...[name, place, options = {}]: ObjectPlace
): MatcherResult {
  const object = objectOf(twin, name);
  requireGoal(object, { ...options, at: place });
  const { within_mm = WITHIN_MM } = options;
  const distance_m = object.distanceFrom_m(place);
  const isThere = distance_m === null ? object.isOn(place) : distance_m * MM_PER_M <= within_mm;
  const pass = isThere && ['resting', 'tipped', 'carried'].includes(object.status);
  const away = distance_m === null ? '' : `, ${(distance_m * MM_PER_M).toFixed(1)} mm away`;
  const text = pass ? 'but should not be' : `not at ${place}${away}`;
  return { pass, message: () => `${name} is ${whereIs(object)}, ${text}${whyNot(object)}` };
}

function compareHolder(twin: ObjectSource, gripper: string, name: string): MatcherResult {
  const object = objectOf(twin, name);
  requireGoal(object, { held_by: gripper });
  const pass = object.held_by === gripper;
  const holder = object.held_by === null ? 'no gripper' : object.held_by;
  const message = () =>
    pass
      ? `${gripper} holds ${name}, but should not`
      : `${gripper} does not hold ${name}: ${holder} holds it${whyNot(object)}`;
  return { pass, message };
}

function compareCarrier(twin: ObjectSource, gripper: string, name: string): MatcherResult {
  const object = objectOf(twin, name);
  requireGoal(object, { held_by: gripper });
  const pass = object.carriedBy === gripper;
  const message = () =>
    pass
      ? `${gripper} carries ${name} on ${object.at}, but should not`
      : `${gripper} does not carry ${name}: it is ${whereIs(object)}${whyNot(object)}`;
  return { pass, message };
}

/** A gripper lost it, or it fell off what the gripper held. */
const isDrop = ({ kind }: CellEvent) => kind === 'dropped' || kind === 'fell_off';

function compareDrops(twin: ObjectSource, name: string): MatcherResult {
  const object = objectOf(twin, name);
  const dropped = object.events.filter(isDrop);
  const pass = dropped.length > 0;
  const message = () =>
    pass
      ? dropped.map(({ text, at_s }) => `${text} at ${at_s.toFixed(2)} s`).join('; ')
      : `${name} was never dropped; it is ${whereIs(object)}${whyNot(object)}`;
  return { pass, message };
}

function compareStates(
  events: readonly RobotEvent[],
  states: readonly RobotState[],
): MatcherResult {
  const seen = statesIn(events);
  const pass = seen.join() === states.join();
  return { pass, message: () => `the events announce ${seen.join(' → ') || 'no state'}` };
}

const OBJECT = isNameOf('an object');

/** Each checks all its arguments, also after `not`. */
export const twinMatchers = {
  /** The robot of a twin is in a state. */
  toBeInState: matcher('toBeInState', { checks: [isTwin, isState] }, compareState),

  /** Every joint is within a tolerance (rad) of an angle. */
  toStandAt: matcher(
    'toStandAt',
    { checks: [isTwin, areAngles, isTolerance], optional: 1 },
    compareAngles,
  ),

  /** An object of the cell rests at a nest, fixture, conveyor or object. */
  toHaveObjectAt: matcher(
    'toHaveObjectAt',
    { checks: [isTwin, OBJECT, isNameOf('a place'), isPlaceOptions], optional: 1 },
    comparePlace,
  ),

  /** A gripper of the cell holds an object. */
  toHold: matcher('toHold', { checks: [isTwin, isNameOf('a gripper'), OBJECT] }, compareHolder),

  /** A gripper carries an object, which stands on what it holds or on what that carries. */
  toCarry: matcher('toCarry', { checks: [isTwin, isNameOf('a gripper'), OBJECT] }, compareCarrier),

  /** A gripper lost an object, or the object fell off what the gripper held. */
  toHaveDropped: matcher('toHaveDropped', { checks: [isTwin, OBJECT] }, compareDrops),

  /** The events contain exactly these states, in this order. */
  toAnnounceStates: matcher('toAnnounceStates', { checks: [areEvents, areStates] }, compareStates),
};

/** The matchers as methods, for type declarations of a test runner. */
export interface TwinMatchers<Result = unknown> {
  toBeInState(state: RobotState): Result;
  toStandAt(joints: readonly number[], tolerance_rad?: number): Result;
  toAnnounceStates(states: readonly RobotState[]): Result;
  toHaveObjectAt(name: string, place: string, options?: { within_mm?: number }): Result;
  toHold(gripper: string, name: string): Result;
  toCarry(gripper: string, name: string): Result;
  toHaveDropped(name: string): Result;
}
