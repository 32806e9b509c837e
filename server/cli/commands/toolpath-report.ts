/**
 * The report of `armtwin plan` on one file: schema and toolpath errors, build result and durations.
 * Also the entry point of its worker threads.
 */
import type { MotionError } from '../../../contract/errors.ts';
import type { Problem } from '../../../contract/refusal.ts';
import type { ArmProfile, Toolpath } from '../../../contract/types.ts';
import { validate } from '../../../contract/validator.ts';
import {
  createFrames,
  createToolMotion,
  forward,
  toolMotion,
} from '../../../physics/kinematics/forward.ts';
import { length3, type Numbers } from '../../../physics/math/rotation.ts';
import { createProfilePoint, sampleProfile } from '../../../physics/motion/jerk-phases.ts';
import { ARM_LIMITS, jointLimitsOf } from '../../../physics/motion/limits.ts';
import { createPathSample, samplePath } from '../../../physics/motion/segment.ts';
import { timingOf } from '../../../physics/motion/timing-laws.ts';
import { buildToolpath } from '../../../physics/toolpath/build.ts';
import { checkToolpath } from '../../../physics/toolpath/check.ts';
import { hashToolpath } from '../../../physics/toolpath/hash.ts';
import type { PlannedMove, Program } from '../../../physics/toolpath/program.ts';
import { readInputFile, startupErrorText } from '../output.ts';

/**
 * Highest utilisation of the arm's limits by a program: the share of each joint's speed and
 * acceleration limit, and the tool speed. For users who tune a toolpath; no decision depends on it.
 * §2.2, §8.
 */

/** The highest values over all motions in automatic mode. */
interface LimitUtilisation {
  /** Number of distinct motions, the return move included. */
  readonly motions: number;
  /** Share of the limit, and the joint (0-based) that reaches it. */
  readonly joint_speed: { readonly share: number; readonly joint: number };
  readonly joint_acceleration: { readonly share: number; readonly joint: number };
  readonly tool_speed_m_s: number;
}

interface Peak {
  share: number;
  joint: number;
}

/** Sampling period (s). */
const PERIOD_S = 0.005;

const point = createProfilePoint();
const sample = createPathSample();
const frames = createFrames();
const tool = createToolMotion();
const velocity = new Float64Array(6);
const acceleration = new Float64Array(6);

function raise(peak: Peak, values: Float64Array, limits: Float64Array): void {
  for (let joint = 0; joint < 6; joint++) {
    const share = Math.abs(values[joint]!) / limits[joint]!;
    if (share <= peak.share) continue;
    peak.share = share;
    peak.joint = joint;
  }
}

/** Writes the joint rates of a move at `t_s` to the scratch above. */
function sampleRates({ path, automatic }: PlannedMove, t_s: number): void {
  sampleProfile(automatic, t_s, point);
  samplePath(path, point.s, sample);
  for (let j = 0; j < 6; j++) {
    velocity[j] = sample.q1[j]! * point.v;
    acceleration[j] = sample.q1[j]! * point.a + sample.q2[j]! * point.v * point.v;
  }
}

function toolSpeed_m_s(offset_m: Numbers): number {
  forward(sample.q, frames);
  toolMotion(frames, velocity, acceleration, offset_m, tool);
  return length3(tool[0]!, tool[1]!, tool[2]!);
}

function motionsOf(program: Program): Set<PlannedMove> {
  const motions = new Set<PlannedMove>();
  for (const step of program.steps) {
    if (step.kind === 'move' || step.kind === 'return') motions.add(step.move);
  }
  return motions;
}

/** Time (s) of the motion back to the home waypoint after a loop without branches (D28). */
function returnTime_s({ steps, first }: Program): number {
  let index = first;
  // No step comes twice in a loop.
  for (let k = 0; k < steps.length; k++) {
    const step = steps[index];
    if (step?.kind === 'return') return step.move.automatic.duration_s;
    if (!step || step.kind === 'restart') return 0;
    index = step.kind === 'branch' ? step.otherwise : step.next;
  }
  return 0;
}

/** Samples every motion of a program and returns the highest utilisation of the limits. */
function utilisationOf(program: Program, limits = ARM_LIMITS): LimitUtilisation {
  const motions = motionsOf(program);
  const speed: Peak = { share: 0, joint: 0 };
  const acceleration_peak: Peak = { share: 0, joint: 0 };
  let tool_speed_m_s = 0;
  for (const move of motions) {
    for (let t_s = 0; t_s < move.automatic.duration_s; t_s += PERIOD_S) {
      sampleRates(move, t_s);
      raise(speed, velocity, limits.velocity_rad_s);
      raise(acceleration_peak, acceleration, limits.acceleration_rad_s2);
      tool_speed_m_s = Math.max(tool_speed_m_s, toolSpeed_m_s(program.tool_offset_m));
    }
  }
  return {
    motions: motions.size,
    joint_speed: speed,
    joint_acceleration: acceleration_peak,
    tool_speed_m_s,
  };
}

/** An error or warning about a part of a toolpath. */
export interface ToolpathFinding {
  /** JSON pointer; '' for the whole file. */
  readonly path: string;
  readonly problem: string;
  /** The motion error code, if it is one. */
  readonly code?: MotionError;
}

export interface ToolpathReport {
  readonly file: string;
  readonly ok: boolean;
  readonly hash: string | null;
  /** Duration of one loop without branches (s); waits for inputs count as zero. */
  readonly duration_s: number | null;
  /** The same with the motion back to the home waypoint that precedes each further loop (s). */
  readonly further_loop_s: number | null;
  readonly demand: LimitUtilisation | null;
  readonly warnings: readonly ToolpathFinding[];
  readonly errors: readonly ToolpathFinding[];
}

function refused(
  file: string,
  errors: readonly ToolpathFinding[],
  hash: string | null,
): ToolpathReport {
  const nothing = { duration_s: null, further_loop_s: null, demand: null, warnings: [] };
  return { file, ok: false, hash, ...nothing, errors };
}

function read(file: string): { readonly value: unknown } | { readonly problem: string } {
  try {
    return { value: JSON.parse(readInputFile(file)) };
  } catch (error) {
    return { problem: startupErrorText(error) };
  }
}

/** What is wrong with a toolpath file's content, by schema and toolpath check. */
export function toolpathProblems(value: unknown): readonly Problem[] {
  const valid = validate('Toolpath', value, { dialect: 'documented' });
  return valid.ok ? checkToolpath(valid.value.value) : valid.error;
}

/** A file to report on, and the profile of the arm that times its motions. */
export interface ToolpathReportTask {
  readonly file: string;
  readonly profile?: ArmProfile | undefined;
}

/** Reads, checks and builds one toolpath file; never throws for its content. */
export function reportOn({ file, profile }: ToolpathReportTask): ToolpathReport {
  const content = read(file);
  if ('problem' in content) return refused(file, [{ path: '', problem: content.problem }], null);
  const problems = toolpathProblems(content.value);
  if (problems.length > 0) return refused(file, problems, null);
  const toolpath = content.value as Toolpath;
  const hash = hashToolpath(toolpath);
  const timing = profile ? timingOf(profile) : null;
  const built = buildToolpath(toolpath, { program: true, trajectory: true, timing });
  if (built.kind !== 'built') {
    const { path, code, error: problem } = built;
    return refused(file, [{ path, code, problem }], hash);
  }
  const warnings = built.warnings.map(({ path, code, message }) => {
    return { path, code, problem: message };
  });
  const duration_s = built.trajectory?.duration ?? null;
  const demand = built.program && utilisationOf(built.program, jointLimitsOf(timing));
  const back_s = built.program && returnTime_s(built.program);
  const further_loop_s = duration_s === null || back_s === null ? null : duration_s + back_s;
  return { file, ok: true, hash, duration_s, further_loop_s, demand, warnings, errors: [] };
}

export default reportOn;
