/**
 * The planning tasks of the server, as pure functions of plain data. The planner runs cheap tasks
 * inline and the others on a planning thread; both use this table, so results are equal.
 */

import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { MotionError } from '../../contract/motion-errors.ts';
import type { Cell, Toolpath } from '../../contract/types.generated.ts';
import { compileCell } from '../../physics/cell/cell-model.ts';
import { type CellCheck, checkInCell } from '../../physics/cell/clearance/cell-check.ts';
import { planResume } from '../../physics/motion/resume.ts';
import { dilateProfile, type TimeProfile } from '../../physics/motion/time-profile.ts';
import { buildToolpath } from '../../physics/toolpath/build.ts';
import { type GoToRequest, type GoToResult, planGoTo } from '../../physics/toolpath/go-to.ts';
import type { Program } from '../../physics/toolpath/program.ts';
import type { ProgramSource, ToolpathTask } from '../robot/loaded-toolpath.ts';
import type { PausedMotion } from '../robot/trajectory-player.ts';
import { measured } from './program-pack.ts';

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

/** What a program was planned from: the task and its plan. */
export function sourceOf(
  { timing, range }: ToolpathTask,
  { deflated, sha256 }: Extract<ProgramPlan, { kind: 'built' }>,
): ProgramSource {
  return { toolpath_deflated: deflated, timing, range, program_sha256: sha256 };
}

/** A toolpath to look at in a cell. */
export interface CellTask {
  readonly source: ProgramSource;
  readonly cell: Cell;
  /** The memory of the states of its objects: where they are now. */
  readonly bodies: Float64Array;
}

/** The tasks by name. */
export interface PlanTasks {
  readonly trajectory: (request: ToolpathTask) => TrajectoryText;
  readonly program: (request: ToolpathTask) => ProgramPlan;
  readonly goTo: (request: GoToRequest) => GoToResult;
  readonly resume: (motion: PausedMotion) => TimeProfile;
  readonly cellCheck: (task: CellTask) => CellCheck | PlanError;
}

export const planTasks: PlanTasks = {
  trajectory({ toolpath: text, timing, range }) {
    const toolpath = JSON.parse(new TextDecoder().decode(text)) as Toolpath;
    const options = { program: false, trajectory: true, timing, range };
    const { trajectory, ...rest } = buildToolpath(toolpath, options);
    const outcome = rest.kind === 'built' ? { kind: rest.kind } : rest;
    return { outcome, json: new TextEncoder().encode(JSON.stringify(trajectory)) };
  },

  program({ toolpath: text, timing, range }) {
    const toolpath = JSON.parse(new TextDecoder().decode(text)) as Toolpath;
    const options = { program: true, trajectory: false, timing, range };
    const result = buildToolpath(toolpath, options);
    if (result.kind === 'built') {
      const program = result.program!;
      const deflated = new Uint8Array(deflateRawSync(text));
      return { kind: 'built', program, ...measured(program.steps), deflated };
    }
    const { kind, error, code, path } = result;
    return { kind, error, code, path };
  },

  cellCheck({ source, cell, bodies }) {
    const text = inflateRawSync(source.toolpath_deflated);
    const toolpath = JSON.parse(new TextDecoder().decode(text)) as Toolpath;
    const { timing, range } = source;
    const result = buildToolpath(toolpath, { program: true, trajectory: false, timing, range });
    if (result.kind !== 'built') return result;
    const { tcp_config } = toolpath.metadata;
    return checkInCell(result.program!, compileCell(cell), tcp_config, bodies);
  },

  goTo: planGoTo,

  /** The rest of a paused motion, no faster than planned originally. */
  resume({ path, s, caps, nominal_rest_s }) {
    const { profile } = planResume({ path, s, caps });
    const slower = nominal_rest_s / profile.duration_s;
    return slower > 1 && profile.duration_s > 0 ? dilateProfile(profile, slower) : profile;
  },
};
