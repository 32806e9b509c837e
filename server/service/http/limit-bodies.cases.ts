/** Kinds of checks of limits, and bodies of a chosen size for them. Test code. */
import { sampleToolpath } from '../../../conformance/samples/sample-toolpath.ts';
import { sampleWorkflow } from '../../../conformance/samples/sample-workflow.ts';
import type { LimitContext } from './limit-scenarios.cases.ts';

export const CALC = 'PUT /api/v1/toolpath/calc';
export const SAVE = 'POST /api/v1/toolpaths';
export const VALIDATE = 'POST /workflow/v1/workflows/validate';
export const POSE = [0, 0.5, -1.7, 0, -1.2, 0] as const;
export const poses = (count: number) =>
  Array.from({ length: count }, () => [...POSE] as typeof JOINTS);
export const JOINTS: [number, number, number, number, number, number] = [...POSE];
export const small = () => sampleToolpath(poses(2));
export const saved = (toolpath: object) => ({ name: 'edge', toolpath });
export const text = (count: number) => 'x'.repeat(count);

export function zones(count: number): object[] {
  return Array.from({ length: count }, (_, i) => ({
    name: `zone ${i}`,
    avoid: 'inside',
    position: { x: 3, y: 3, z: 3 },
    orientation: { w: 1, x: 0, y: 0, z: 0 },
    dimensions: { x: 0.1, y: 0.1, z: 0.1 },
  }));
}

export function withTimeline(actions: readonly object[]): object {
  return saved({ ...small(), timeline: [{ type: 'home', waypoint_id: 0 }, ...actions] });
}

export const waits = (count: number) =>
  Array.from({ length: count }, () => ({
    type: 'wait',
    condition: { type: 'time', duration: 0.1 },
  }));

export function nested(levels: number): object {
  let value: object = [];
  for (let level = 3; level < levels; level++) value = [value];
  return { toolpath: { deep: value } };
}

export function manyTasks(count: number): object {
  const { workflow, ...rest } = sampleWorkflow();
  const task = { instrument: { type: 'reader' }, action: 'read', time_estimate: 1 };
  const tasks = Object.fromEntries(Array.from({ length: count }, (_, i) => [`t${i}`, task]));
  return { ...rest, workflow: { ...workflow, labware: [], tasks } };
}

/** A check over the wire. */
export interface LimitCheck {
  /** Who calls, and what is at its limit. */
  readonly by: string;
  /** Plays N + 1 in parallel; returns what was seen. Throws when the limit does not hold. */
  readonly check: (context: LimitContext) => Promise<string>;
}

export interface NoLimitCheck {
  /** Why nothing is sent, or which test checks the limit instead. */
  readonly instead: string;
}

/** Why times are checked elsewhere. */
export const TIME = 'a time: ';
/** A time that a conformance rule checks. */
export const rules = (name: string) => ({ instead: `${TIME}conformance/rules/${name}.ts` });
/** A limit that a test checks. */
export const test = (path: string, what = '') => ({ instead: `${what}${path}` });

type Body = (count: number) => object;

/** Bodies at the limit are accepted, those beyond it refused. */
export function edge(call: string, most: number, body: Body): LimitCheck {
  return {
    by: 'user',
    check: (context) => context.edge(call, { within: body(most), beyond: body(most + 1) }),
  };
}

/** As `edge`, for a lower bound. */
export function lower(call: string, least: number, body: Body): LimitCheck {
  return {
    by: 'user',
    check: (context) => context.edge(call, { within: body(least), beyond: body(least - 1) }),
  };
}

/** Of N + 8 creations in parallel N succeed, those that exist included. */
export function capacity(by: 'user' | 'admin', call: string, plan: CapacityPlan): LimitCheck {
  return { by, check: (context) => context.capacity({ by, call, ...plan }) };
}

interface CapacityPlan {
  readonly most: number;
  /** The call that lists what exists before. */
  readonly list?: string;
  /** Calls in progress at a time. */
  readonly parallel?: number;
  readonly body: Body;
}
