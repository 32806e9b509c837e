/** Matchers for `expect.extend` of Vitest and Jest. */
import type { RobotState } from '../contract/robot-states.ts';
import type { CellEvent, RobotEvent } from '../contract/types.ts';
import type { Twin, TwinObject } from '../server/index.ts';

interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

function stateOf(twin: Twin): unknown {
  const control = twin.snapshot()['control'] as { readonly state: unknown };
  return control.state;
}

/** The robot states in the events, in order. */
export function statesIn(events: readonly RobotEvent[]): readonly string[] {
  return events.flatMap((event) => {
    const state = event.type === 'state_change' ? event.changes.control?.state : undefined;
    return state === undefined ? [] : [state];
  });
}

/** An object within this distance of a nest is in it (mm), unless the test says otherwise. */
const WITHIN_MM = 10;
const MM_PER_M = 1000;

/** What knows where objects are. */
type ObjectSource = Pick<Twin, 'cellObject'>;

/** An object, the place where it should be, and the tolerance. */
type ObjectPlace = [name: string, place: string, options?: { readonly within_mm?: number }];

function whereIs({ status, at, held_by, position: { x, y, z } }: TwinObject): string {
  if (held_by !== null) return `held by ${held_by}`;
  const place = [x, y, z].map((part) => part.toFixed(4)).join(', ');
  return at === null ? `${status} at (${place}) m` : `${status} at ${at}, (${place}) m`;
}

/** Why an object is not where it should be: how the last grasp ended, or what missed it. */
function whyLost({ events }: TwinObject): string {
  const grasp = events.findLastIndex(({ kind }) => kind === 'grasped');
  const isLoss = ({ kind }: CellEvent) => kind === 'dropped' || kind === 'jammed';
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

export const twinMatchers = {
  /** The robot of a twin is in a state. */
  toBeInState(twin: Twin, state: RobotState): MatcherResult {
    const now = stateOf(twin);
    const pass = now === state;
    return {
      pass,
      message: () => `the robot is ${now}, ${pass ? 'but should not be' : `not ${state}`}`,
    };
  },

  /** Every joint is within a tolerance (rad) of an angle. */
  toStandAt(twin: Twin, joints: readonly number[], tolerance_rad = 1e-3): MatcherResult {
    const now = twin.snapshot()['servos.telemetry.position'] as readonly number[];
    const off = joints.findIndex((angle, j) => !(Math.abs(angle - now[j]!) <= tolerance_rad));
    const pass = off < 0;
    const message = () =>
      pass
        ? `the arm is at ${joints.join(', ')}, but should not be`
        : `joint ${off} is at ${now[off]}, not at ${joints[off]} (± ${tolerance_rad})`;
    return { pass, message };
  },

  /** An object of the cell rests at a nest, fixture, conveyor or object. */
  toHaveObjectAt(
    twin: ObjectSource,
    ...[name, place, { within_mm = WITHIN_MM } = {}]: ObjectPlace
  ): MatcherResult {
    const object = twin.cellObject(name);
    if (!object) return { pass: false, message: () => `the cell has no object ${name}` };
    const distance_m = object.distanceFrom_m(place);
    const isThere = distance_m === null ? object.at === place : distance_m * MM_PER_M <= within_mm;
    const pass = isThere && (object.status === 'resting' || object.status === 'tipped');
    const away = distance_m === null ? '' : `, ${(distance_m * MM_PER_M).toFixed(1)} mm away`;
    const text = pass ? 'but should not be' : `not at ${place}${away}`;
    return { pass, message: () => `${name} is ${whereIs(object)}, ${text}${whyNot(object)}` };
  },

  /** A gripper of the cell holds an object. */
  toHold(twin: ObjectSource, gripper: string, name: string): MatcherResult {
    const object = twin.cellObject(name);
    if (!object) return { pass: false, message: () => `the cell has no object ${name}` };
    const pass = object.held_by === gripper;
    const text = pass ? 'but should not' : `not ${gripper}${whyNot(object)}`;
    return { pass, message: () => `${object.held_by ?? 'nothing'} holds ${name}, ${text}` };
  },

  /** A gripper lost an object. */
  toHaveDropped(twin: ObjectSource, name: string): MatcherResult {
    const object = twin.cellObject(name);
    if (!object) return { pass: false, message: () => `the cell has no object ${name}` };
    const dropped = object.events.filter(({ kind }) => kind === 'dropped');
    const pass = dropped.length > 0;
    const message = () =>
      pass
        ? dropped.map(({ text, at_s }) => `${text} at ${at_s.toFixed(2)} s`).join('; ')
        : `${name} was never dropped; it is ${whereIs(object)}`;
    return { pass, message };
  },

  /** The events contain exactly these states, in this order. */
  toAnnounceStates(events: readonly RobotEvent[], states: readonly RobotState[]): MatcherResult {
    const seen = statesIn(events);
    const pass = seen.join() === states.join();
    return { pass, message: () => `the events announce ${seen.join(' → ') || 'no state'}` };
  },
};

/** The matchers as methods, for type declarations of a test runner. */
export interface TwinMatchers<Result = unknown> {
  toBeInState(state: RobotState): Result;
  toStandAt(joints: readonly number[], tolerance_rad?: number): Result;
  toAnnounceStates(states: readonly RobotState[]): Result;
  toHaveObjectAt(name: string, place: string, options?: { within_mm?: number }): Result;
  toHold(gripper: string, name: string): Result;
  toHaveDropped(name: string): Result;
}
