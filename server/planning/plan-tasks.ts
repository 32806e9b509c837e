/**
 * What is planned for the server, as plain functions of plain data: the planner calls them where
 * they are cheap, the worker where they are not. One list, so that both answer alike.
 */
import type { MotionError } from '../../contract/motion-errors.ts';
import type { Toolpath } from '../../contract/types.ts';
import { planResume } from '../../physics/motion/resume.ts';
import { dilateProfile, type TimeProfile } from '../../physics/motion/time-profile.ts';
import { buildToolpath } from '../../physics/toolpath/build.ts';
import { type GoToRequest, type GoToResult, planGoTo } from '../../physics/toolpath/go-to.ts';
import type { Program } from '../../physics/toolpath/program.ts';
import type { Halt } from '../robot/mover.ts';
import { bytesOfSteps } from './program-pack.ts';

/** Why there is no sound motion of a toolpath. */
export interface PlanError {
  readonly kind: 'soft' | 'hard';
  readonly error: string;
  readonly code: MotionError;
  readonly path: string;
}

/** A trajectory as the JSON text that replies carry: parsing it would cost the loop its time. */
export interface TrajectoryText {
  readonly outcome: { readonly kind: 'built' } | PlanError;
  /** UTF-8. */
  readonly json: Uint8Array;
}

export type ProgramPlan =
  | {
      readonly kind: 'built';
      readonly program: Program;
      /** What the numbers of the program take (bytes). */
      readonly bytes: number;
    }
  | PlanError;

/** Names of the tasks, with what each takes and gives; toolpaths come as JSON text. */
export interface PlanTasks {
  readonly trajectory: (toolpath: string) => TrajectoryText;
  readonly program: (toolpath: string) => ProgramPlan;
  readonly goTo: (request: GoToRequest) => GoToResult;
  readonly resume: (halt: Halt) => TimeProfile;
}

export const planTasks: PlanTasks = {
  trajectory(text) {
    const toolpath = JSON.parse(text) as Toolpath;
    const { trajectory, ...rest } = buildToolpath(toolpath, { program: false, trajectory: true });
    const outcome = rest.kind === 'built' ? { kind: rest.kind } : rest;
    return { outcome, json: new TextEncoder().encode(JSON.stringify(trajectory)) };
  },

  program(text) {
    const toolpath = JSON.parse(text) as Toolpath;
    const result = buildToolpath(toolpath, { program: true, trajectory: false });
    if (result.kind === 'built') {
      const program = result.program!;
      return { kind: 'built', program, bytes: bytesOfSteps(program.steps) };
    }
    const { kind, error, code, path } = result;
    return { kind, error, code, path };
  },

  goTo: planGoTo,

  /** The rest of a halted motion, no faster than it was to be. */
  resume({ path, s, caps, nominal_rest_s }) {
    const { profile } = planResume({ path, s, caps });
    const slower = nominal_rest_s / profile.duration_s;
    return slower > 1 && profile.duration_s > 0 ? dilateProfile(profile, slower) : profile;
  },
};
