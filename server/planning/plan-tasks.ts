/**
 * The planning tasks of the server, as pure functions of plain data. The planner runs cheap tasks
 * inline and the others on a worker thread; both use this table, so results are equal.
 */
import type { MotionError } from '../../contract/errors.ts';
import type { Toolpath } from '../../contract/types.ts';
import { dilateProfile, type TimeProfile } from '../../physics/motion/jerk-phases.ts';
import type { MotionTiming } from '../../physics/motion/limits.ts';
import { buildToolpath } from '../../physics/toolpath/build.ts';
import { type GoToRequest, type GoToResult, planGoTo } from '../../physics/toolpath/go-to.ts';
import type { Program } from '../../physics/toolpath/program.ts';
import { planResume } from '../../physics/toolpath/segment-planner.ts';
import type { PausedMotion } from '../robot/trajectory-player.ts';
import { stepsByteLength } from './program-pack.ts';

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
    }
  | PlanError;

/** A toolpath as JSON text (UTF-8), and the timing of the arm's planner where it has its own. */
export interface ToolpathTask {
  readonly toolpath: Uint8Array;
  readonly timing: MotionTiming | null;
}

/** The tasks by name. */
export interface PlanTasks {
  readonly trajectory: (request: ToolpathTask) => TrajectoryText;
  readonly program: (request: ToolpathTask) => ProgramPlan;
  readonly goTo: (request: GoToRequest) => GoToResult;
  readonly resume: (motion: PausedMotion) => TimeProfile;
}

export const planTasks: PlanTasks = {
  trajectory({ toolpath: text, timing }) {
    const toolpath = JSON.parse(new TextDecoder().decode(text)) as Toolpath;
    const options = { program: false, trajectory: true, timing };
    const { trajectory, ...rest } = buildToolpath(toolpath, options);
    const outcome = rest.kind === 'built' ? { kind: rest.kind } : rest;
    return { outcome, json: new TextEncoder().encode(JSON.stringify(trajectory)) };
  },

  program({ toolpath: text, timing }) {
    const toolpath = JSON.parse(new TextDecoder().decode(text)) as Toolpath;
    const result = buildToolpath(toolpath, { program: true, trajectory: false, timing });
    if (result.kind === 'built') {
      const program = result.program!;
      return { kind: 'built', program, bytes: stepsByteLength(program.steps) };
    }
    const { kind, error, code, path } = result;
    return { kind, error, code, path };
  },

  goTo: planGoTo,

  /** The rest of a paused motion, no faster than planned originally. */
  resume({ path, s, caps, nominal_rest_s }) {
    const { profile } = planResume({ path, s, caps });
    const slower = nominal_rest_s / profile.duration_s;
    return slower > 1 && profile.duration_s > 0 ? dilateProfile(profile, slower) : profile;
  },
};
