/**
 * Test code: a compact record of a toolpath build that a person can compare: durations, counts and
 * digests of every motion. Equal records mean equal bits on every machine (D40).
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { Toolpath, TrajectoryItem } from '../../contract/types.generated.ts';
import type { JointPath } from '../motion/joint-path.ts';
import type { TimeProfile } from '../motion/time-profile.ts';
import { buildToolpath } from './build.ts';
import { hashToolpath } from './hash.ts';
import type { Program } from './program.ts';

/** One motion of the program. */
export interface GoldenMotion {
  readonly at: string;
  readonly automatic_s: number;
  readonly teach_s: number;
  /** Digests of path and timing. */
  readonly path: string;
  readonly timing: string;
}

export interface Golden {
  readonly hash: string;
  readonly outcome: string;
  readonly duration_s: number | null;
  readonly setpoints: number;
  /** Digest of every joint angle of the trajectory reply. */
  readonly digest: string;
  readonly motions: readonly GoldenMotion[];
}

class Digest {
  private readonly hash = sha256.create();

  add(values: ArrayLike<number>): this {
    const bytes = new DataView(new ArrayBuffer(8 * values.length));
    for (let i = 0; i < values.length; i++) bytes.setFloat64(8 * i, values[i]!, true);
    this.hash.update(new Uint8Array(bytes.buffer));
    return this;
  }

  text(length = 64): string {
    return bytesToHex(this.hash.digest()).slice(0, length);
  }
}

const SHORT = 12;

function pathDigest(path: JointPath): string {
  const digest = new Digest();
  if (path.kind === 'line') return digest.add(path.start).add(path.end).text(SHORT);
  return digest.add(path.s).add(path.q).add(path.q1).add(path.q2).text(SHORT);
}

function timingDigest(automatic: TimeProfile, teach: TimeProfile): string {
  const digest = new Digest();
  for (const { knots_s, coefficients } of [automatic, teach]) digest.add(knots_s).add(coefficients);
  return digest.text(SHORT);
}

function motionsOf(program: Program | null): GoldenMotion[] {
  const motions: GoldenMotion[] = [];
  for (const step of program?.steps ?? []) {
    if (step.kind !== 'move' && step.kind !== 'return') continue;
    const { path, automatic, teach } = step.move;
    motions.push({
      at: step.cell.length > 0 ? `${step.at} cell ${step.cell.join('.')}` : step.at,
      automatic_s: automatic.duration_s,
      teach_s: teach.duration_s,
      path: pathDigest(path),
      timing: timingDigest(automatic, teach),
    });
  }
  return motions;
}

/** Calls `visit` with the joint angles of every setpoint, in the order of the reply. */
function eachSetpoint(
  timeline: readonly TrajectoryItem[],
  visit: (joints: readonly number[]) => void,
): void {
  for (const item of timeline) {
    const segments =
      item.type === 'segment'
        ? [item]
        : item.type === 'call-routine'
          ? [item.enter, item.exit]
          : [];
    for (const { setpoints } of segments) for (const { joints } of setpoints) visit(joints ?? []);
    if (item.type === 'grid') for (const body of item.iterations) eachSetpoint(body, visit);
    if (item.type === 'if')
      for (const branch of item.branches) eachSetpoint(branch.timeline, visit);
  }
}

/** Builds a toolpath and summarises the result. */
export function goldenOf(toolpath: Toolpath): Golden {
  const result = buildToolpath(toolpath, { program: true, trajectory: true });
  const digest = new Digest();
  let setpoints = 0;
  const { timeline = [], routines = [] } = result.trajectory ?? {};
  for (const body of [timeline, ...routines.map((routine) => routine.timeline)]) {
    eachSetpoint(body, (joints) => {
      setpoints++;
      digest.add(joints);
    });
  }
  return {
    hash: hashToolpath(toolpath),
    outcome: result.kind === 'built' ? 'built' : `${result.kind} ${result.code} ${result.path}`,
    duration_s: result.trajectory?.duration ?? null,
    setpoints,
    digest: digest.text(),
    motions: motionsOf(result.kind === 'built' ? result.program : null),
  };
}

/** Messages that describe the differences between the record and the current build. */
export function explainDifference(before: Golden | undefined, now: Golden): string[] {
  if (!before) return ['is not in the goldens yet'];
  const lines: string[] = [];
  const report = (what: string, old: unknown, present: unknown) => {
    if (old !== present) lines.push(`${what}: ${old} → ${present}`);
  };
  report('the toolpath itself has changed', before.hash, now.hash);
  report('outcome', before.outcome, now.outcome);
  report('duration (s)', before.duration_s, now.duration_s);
  report('setpoints', before.setpoints, now.setpoints);
  report('motions', before.motions.length, now.motions.length);
  for (const [i, motion] of now.motions.entries()) {
    lines.push(...explainMotion(before.motions[i], motion));
  }
  if (lines.length === 0) report('joint angles of the setpoints', before.digest, now.digest);
  return lines;
}

function explainMotion(before: GoldenMotion | undefined, now: GoldenMotion): string[] {
  if (!before) return [`${now.at}: a new motion of ${now.automatic_s} s`];
  if (before.at !== now.at) return [`${now.at} stands where ${before.at} stood`];
  const path = before.path === now.path ? 'the same path' : 'another path';
  if (before.path === now.path && before.timing === now.timing) return [];
  const automatic = `${before.automatic_s} → ${now.automatic_s} s`;
  const teach = `teach ${before.teach_s} → ${now.teach_s} s`;
  return [`${now.at}: ${path}, ${automatic}, ${teach}`];
}
