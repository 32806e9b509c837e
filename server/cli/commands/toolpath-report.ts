/**
 * The report of `armtwin plan` on one file: schema and toolpath errors, build result and
 * durations. Worker threads enter here.
 */

import type { MotionError } from '../../../contract/motion-errors.ts';
import type { Problem } from '../../../contract/problem.ts';
import { failure, type Result } from '../../../contract/result.ts';
import type { ArmProfile, Cell, Toolpath } from '../../../contract/types.generated.ts';
import { validate } from '../../../contract/validator.ts';
import { compileCell } from '../../../physics/cell/cell-model.ts';
import { type CellCheck, checkInCell } from '../../../physics/cell/clearance/cell-check.ts';
import type { CellFinding } from '../../../physics/cell/clearance/cell-finding.ts';
import { checkedAgainst } from '../../../physics/cell/clearance/checked-against.ts';
import { timingOf } from '../../../physics/motion/arm-profile.ts';
import { jointLimitsOf } from '../../../physics/motion/motion-timing.ts';
import { buildToolpath } from '../../../physics/toolpath/build.ts';
import { hashToolpath } from '../../../physics/toolpath/hash.ts';
import type { Program } from '../../../physics/toolpath/program.ts';
import { type ReadToolpath, readToolpathText } from '../../../physics/toolpath/toolpath-file.ts';
import { readInputFile } from '../input-file.ts';
import { startupErrorText } from '../startup-errors.ts';
import { type LimitUtilisation, utilisationOf } from './limit-utilisation.ts';

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

/** An error or warning about a part of a toolpath. */
export interface ToolpathFinding {
  /** JSON pointer; '' for the whole file. */
  readonly path: string;
  readonly problem: string;
  /** The motion error code, if it is one. */
  readonly code?: MotionError;
  /** Where a part of the arm, or what it holds, comes too near to something of the cell. */
  readonly contact?: Omit<CellFinding, 'at' | 'message'>;
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
  /** What the motions were checked against; empty for a toolpath that cannot be built. */
  readonly checked_against: readonly string[];
  readonly warnings: readonly ToolpathFinding[];
  readonly errors: readonly ToolpathFinding[];
}

function refused(
  file: string,
  errors: readonly ToolpathFinding[],
  hash: string | null,
): ToolpathReport {
  const nothing = {
    duration_s: null,
    further_loop_s: null,
    demand: null,
    warnings: [],
    checked_against: [],
  };
  return { file, ok: false, hash, ...nothing, errors };
}

/**
 * The toolpath in a file of any form that files of the field have, or all problems of the file;
 * one that cannot be read is a problem too.
 */
export function readToolpathFile(file: string): Result<ReadToolpath, readonly Problem[]> {
  let text: string;
  try {
    text = readInputFile(file);
  } catch (error) {
    return failure([{ path: '', problem: startupErrorText(error) }]);
  }
  return readToolpathText(text, (value) => {
    const valid = validate('Toolpath', value, { dialect: 'documented' });
    return valid.ok ? [] : valid.error;
  });
}

/** A file to report on, and the profile of the arm that times its motions. */
export interface ToolpathReportTask {
  readonly file: string;
  readonly profile?: ArmProfile | undefined;
  readonly cell?: Cell | undefined;
}

function contactFinding({ at: path, message: problem, ...contact }: CellFinding): ToolpathFinding {
  return { path, code: 'object_collision', problem, contact };
}

/** Checks a built toolpath against a cell; null without one. */
function checkCell(
  cell: Cell | undefined,
  program: Program | null,
  { metadata }: Toolpath,
): CellCheck | null {
  return cell && program ? checkInCell(program, compileCell(cell), metadata.tcp_config) : null;
}

/** Reads, checks and builds one toolpath file; never throws for its content. */
export function reportOn({ file, profile, cell }: ToolpathReportTask): ToolpathReport {
  const read = readToolpathFile(file);
  if (!read.ok) return refused(file, read.error, null);
  const { toolpath, notes } = read.value;
  const hash = hashToolpath(toolpath);
  const timing = profile ? timingOf(profile) : null;
  const built = buildToolpath(toolpath, { program: true, trajectory: true, timing });
  if (built.kind !== 'built') {
    const { path, code, error: problem } = built;
    return refused(file, [{ path, code, problem }], hash);
  }
  const warnings = [
    ...notes,
    ...built.warnings.map(({ path, code, message }) => ({ path, code, problem: message })),
  ];
  const duration_s = built.trajectory?.duration ?? null;
  const demand = built.program && utilisationOf(built.program, jointLimitsOf(timing));
  const back_s = built.program && returnTime_s(built.program);
  const further_loop_s = duration_s === null || back_s === null ? null : duration_s + back_s;
  const check = checkCell(cell, built.program, toolpath);
  const checked_against = checkedAgainst(toolpath, check, '--cell FILE');
  const errors = check ? check.findings.map(contactFinding) : [];
  const times = { duration_s, further_loop_s };
  return {
    file,
    ok: errors.length === 0,
    hash,
    ...times,
    demand,
    checked_against,
    warnings,
    errors,
  };
}

export default reportOn;
