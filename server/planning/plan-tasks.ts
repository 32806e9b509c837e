/**
 * The planning tasks of the server, as pure functions of plain data. The planner runs cheap tasks
 * inline and the others on a planning thread, whose entry point is the default export; both use
 * this table, so results are equal. Also: how programs cross threads.
 */

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { MessagePort } from 'node:worker_threads';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import type { MotionError } from '../../contract/errors.ts';
import type { Toolpath } from '../../contract/types.ts';
import type { ArmRange } from '../../physics/arm/arm-model.ts';
import { assert } from '../../physics/math/rotation.ts';
import { dilateProfile, type TimeProfile } from '../../physics/motion/jerk-phases.ts';
import { inJointRange } from '../../physics/motion/limits.ts';
import type { JointPath } from '../../physics/motion/segment.ts';
import { planResume } from '../../physics/motion/stop.ts';
import { buildToolpath } from '../../physics/toolpath/build.ts';
import {
  type GoToRequest,
  type GoToResult,
  planGoTo,
} from '../../physics/toolpath/plan-segment.ts';
import type { PlannedMove, Program, ProgramStep } from '../../physics/toolpath/program.ts';
import type { LoadedToolpath, RecordedToolpath, ToolpathTask } from '../robot/commands.ts';
import type { PausedMotion } from '../robot/trajectory-player.ts';
import type { PlanTaskCall, ProgramTaskCall } from './planner.ts';

/** Why a toolpath has no valid motion. */
export interface PlanError {
  readonly kind: 'soft' | 'hard';
  readonly error: string;
  readonly code: MotionError;
  readonly path: string;
}

/** A trajectory as JSON text for replies, so that the control loop's thread need not parse it. */
export interface TrajectoryText {
  readonly outcome: { readonly kind: 'built' } | PlanError;
  /** UTF-8. */
  readonly json: Uint8Array;
}

export type ProgramPlan =
  | {
      readonly kind: 'built';
      readonly program: Program;
      /** Size of the program's numeric data (bytes). */
      readonly bytes: number;
      /** SHA-256 of the program's numeric data. */
      readonly sha256: string;
      /** The text of the toolpath, deflated. */
      readonly deflated: Uint8Array;
    }
  | PlanError;

/** A request of a motion, in the range of the arm. */
export type RangedGoTo = GoToRequest & { readonly range?: ArmRange | null };

/** The tasks by name. */
export interface PlanTasks {
  readonly trajectory: (request: ToolpathTask) => TrajectoryText;
  readonly program: (request: ToolpathTask) => ProgramPlan;
  readonly goTo: (request: RangedGoTo) => GoToResult;
  readonly resume: (motion: PausedMotion) => TimeProfile;
}

export const planTasks: PlanTasks = {
  trajectory({ toolpath: text, timing, range }) {
    const toolpath = JSON.parse(new TextDecoder().decode(text)) as Toolpath;
    const options = { program: false, trajectory: true, timing };
    const built = inJointRange(range, () => buildToolpath(toolpath, options));
    const { trajectory, ...rest } = built;
    const outcome = rest.kind === 'built' ? { kind: rest.kind } : rest;
    return { outcome, json: new TextEncoder().encode(JSON.stringify(trajectory)) };
  },

  program({ toolpath: text, timing, range }) {
    const toolpath = JSON.parse(new TextDecoder().decode(text)) as Toolpath;
    const options = { program: true, trajectory: false, timing };
    const result = inJointRange(range, () => buildToolpath(toolpath, options));
    if (result.kind === 'built') {
      const program = result.program!;
      const deflated = new Uint8Array(deflateRawSync(text));
      return { kind: 'built', program, ...measured(program.steps), deflated };
    }
    const { kind, error, code, path } = result;
    return { kind, error, code, path };
  },

  goTo: ({ range, ...request }) => inJointRange(range, () => planGoTo(request)),

  /** The rest of a paused motion, no faster than planned originally. */
  resume({ path, s, caps, nominal_rest_s }) {
    const { profile } = planResume({ path, s, caps });
    const slower = nominal_rest_s / profile.duration_s;
    return slower > 1 && profile.duration_s > 0 ? dilateProfile(profile, slower) : profile;
  },
};

/** The toolpath without its program, where that can be planned again. */
export function recordedToolpath({ program, ...rest }: LoadedToolpath): RecordedToolpath {
  return rest.source ? rest : { ...rest, program };
}

/**
 * The toolpath with its program, planned again: another version may plan another program, whose
 * SHA-256 its source then has. Throws an Error where there is no motion.
 */
export function plannedToolpath(stored: RecordedToolpath): LoadedToolpath {
  const { program, source, name } = stored;
  if (program) return { ...stored, source: source ?? null, program };
  assert(source, 'a toolpath without its program has a source');
  const { toolpath_deflated, ...rest } = source;
  const plan = planTasks.program({ ...rest, toolpath: inflateRawSync(toolpath_deflated) });
  if (plan.kind !== 'built') throw new Error(`the toolpath “${name}”: ${plan.error}`);
  const own = { ...source, program_sha256: plan.sha256 };
  return { ...stored, source: own, program: plan.program };
}

/**
 * Packs the numeric data of program steps into one shared memory: threads receive it without a
 * copy, and the receiver makes one allocation instead of several for each motion. A message or a
 * copy with one of the steps would take the whole memory along if it were not shared, and V8 would
 * collect garbage as often as its size demands.
 */

function arraysOfPath(path: JointPath): Float64Array[] {
  if (path.kind === 'line') return [path.start, path.end];
  return [path.s, path.q, path.q1, path.q2, path.q3_left, path.q3_right];
}

function arraysOfMove({ path, automatic, teach }: PlannedMove): Float64Array[] {
  const { knots_s, coefficients } = teach;
  return [
    ...arraysOfPath(path),
    automatic.knots_s,
    automatic.coefficients,
    ...(teach === automatic ? [] : [knots_s, coefficients]),
  ];
}

class Packer {
  private readonly arrays = new Map<Float64Array, Float64Array>();
  private readonly moves = new Map<PlannedMove, PlannedMove>();

  constructor(arrays: Set<Float64Array>) {
    let length = 0;
    for (const array of arrays) length += array.length;
    const whole = new Float64Array(new SharedArrayBuffer(8 * length));
    let at = 0;
    for (const array of arrays) {
      whole.set(array, at);
      this.arrays.set(array, whole.subarray(at, at + array.length));
      at += array.length;
    }
  }

  array(array: Float64Array): Float64Array {
    const packed = this.arrays.get(array);
    assert(packed, 'every array was collected before packing');
    return packed;
  }

  move(move: PlannedMove): PlannedMove {
    let packed = this.moves.get(move);
    if (!packed) {
      const automatic = this.profile(move.automatic);
      const teach = move.teach === move.automatic ? automatic : this.profile(move.teach);
      packed = { ...move, path: this.path(move.path), automatic, teach: teach };
      this.moves.set(move, packed);
    }
    return packed;
  }

  private path(path: JointPath): JointPath {
    if (path.kind === 'line') {
      return { kind: 'line', start: this.array(path.start), end: this.array(path.end) };
    }
    return {
      kind: 'table',
      s: this.array(path.s),
      q: this.array(path.q),
      q1: this.array(path.q1),
      q2: this.array(path.q2),
      q3_left: this.array(path.q3_left),
      q3_right: this.array(path.q3_right),
    };
  }

  private profile({ duration_s, knots_s, coefficients }: TimeProfile): TimeProfile {
    const packed = { knots_s: this.array(knots_s), coefficients: this.array(coefficients) };
    return { duration_s, ...packed };
  }
}

function stepMove(step: ProgramStep): PlannedMove | null {
  return step.kind === 'move' || step.kind === 'return' ? step.move : null;
}

function collectArrays(steps: readonly ProgramStep[]): Set<Float64Array> {
  const arrays = new Set<Float64Array>();
  const seen = new Set<PlannedMove>();
  for (const step of steps) {
    const move = stepMove(step);
    if (!move || seen.has(move)) continue;
    seen.add(move);
    for (const array of arraysOfMove(move)) arrays.add(array);
  }
  return arrays;
}

/** Size and SHA-256 of the steps' numeric data; shared moves count once. */
function measured(steps: readonly ProgramStep[]): { bytes: number; sha256: string } {
  const hash = createHash('sha256');
  let bytes = 0;
  for (const array of collectArrays(steps)) {
    hash.update(array);
    bytes += array.byteLength;
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Copies the steps' numeric data to one new memory; shared moves stay shared. */
function packSteps(steps: readonly ProgramStep[]): readonly ProgramStep[] {
  const packer = new Packer(collectArrays(steps));
  return steps.map((step): ProgramStep => {
    const move = stepMove(step);
    return move ? ({ ...step, move: packer.move(move) } as ProgramStep) : step;
  });
}

/**
 * A planning thread runs one task per message and transfers the numeric data of the result without
 * copying it.
 */

/** Steps per message; the receiver handles one message in well under a millisecond. */
const STEPS_PER_PAGE = 100;

/** Wraps a result so that its buffer is transferred. */
function transfer(value: object, buffer: ArrayBufferLike): unknown {
  return move({ [transferableSymbol]: buffer, [valueSymbol]: value });
}

/**
 * Sends the steps in pages and waits for the receiver after each: one large message would block the
 * receiver's control loop for many ticks.
 */
async function sendSteps(steps: readonly ProgramStep[], port: MessagePort): Promise<void> {
  for (let from = 0; from < steps.length; from += STEPS_PER_PAGE) {
    const page = packSteps(steps.slice(from, from + STEPS_PER_PAGE));
    port.postMessage(page);
    await once(port, 'message');
  }
}

async function runProgramTask(call: ProgramTaskCall): Promise<ProgramPlan> {
  const plan = planTasks.program(call.argument);
  if (plan.kind !== 'built') return plan;
  await sendSteps(plan.program.steps, call.port);
  return { ...plan, program: { ...plan.program, steps: [] } };
}

/** Runs one task. */
export default function runTask(call: PlanTaskCall | ProgramTaskCall): unknown {
  switch (call.task) {
    case 'trajectory': {
      const text = planTasks.trajectory(call.argument);
      return transfer(text, text.json.buffer);
    }
    case 'program':
      return runProgramTask(call);
    case 'resume':
      return planTasks.resume(call.argument);
  }
}
