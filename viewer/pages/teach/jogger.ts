import type { Joints } from '../../../contract/types.generated.ts';
import { RAD_PER_DEG } from '../../ui/units.ts';
import { axisOf } from './gizmo-geometry.ts';
import { HANDLE_KINDS, type Handle } from './handle-kinds.ts';
import { poseFromValues, poseValues } from './pose-values.ts';
import type { TargetPose } from './target-pose.ts';
import type { TeachMotion } from './teach-motion.ts';
import type { TeachSettings } from './teach-settings.ts';

/** The step of a button that moves for as long as it is held. */
export const HELD = 0;
/** The farthest of these angles that a joint can turn by is what it turns to while it is held (°). */
const FAR_DEG = [180, 90, 45, 20, 10, 5, 2, 1] as const;
/** A held tool goes from one of these to the next, in mm or °: a straight way has no longer steps. */
const HELD_STEP = 20;
const HELD_GHOST_STEP = 1;

interface JoggerParts {
  readonly target: TargetPose;
  readonly settings: TeachSettings;
  readonly motion: TeachMotion;
}

/** Applies buttons and values to the ghost or to the arm, each from its own pose. */
export function createJogger({ target, settings, motion }: JoggerParts) {
  const own = () => settings.jogTarget.peek() === 'ghost';
  const jog = (change: (from: Joints) => Joints) =>
    own() ? target.tryJoints(change(target.view().joints)) : motion.jog(change);
  const isHeld = () => settings.step.peek() === HELD;
  /** The step, in mm or degrees. */
  const step = () => settings.step.peek() || (own() ? HELD_GHOST_STEP : HELD_STEP);
  return {
    turn(joint: number, sign: number, held: AbortSignal): boolean | Promise<boolean> {
      if (isHeld() && !own()) {
        const angles = FAR_DEG.map((far) => sign * far * RAD_PER_DEG);
        return motion.turnWhileHeld(joint, angles, held);
      }
      const by_rad = sign * step() * RAD_PER_DEG;
      return jog((from) => from.with(joint, from[joint]! + by_rad) as Joints);
    },
    move(handle: Handle, sign: number, held: AbortSignal): boolean | Promise<boolean> {
      const amount = sign * step() * HANDLE_KINDS[handle.kind].step;
      if (!own()) return motion.step(handle, amount, isHeld() ? held : null);
      const along = axisOf(target.pose(), handle.axis, settings.frame.peek());
      target.begin({ kind: handle.kind, along });
      target.dragTo(amount);
      const came = target.reached !== 0;
      target.end();
      return came;
    },
    reach(axis: number, value: number): boolean | Promise<boolean> {
      const change = (from: Float64Array) => poseFromValues(poseValues(from).with(axis, value));
      return own() ? target.tryPose(change(target.pose())) : motion.moveTool(change);
    },
    set: (joint: number, angle_deg: number): boolean | Promise<boolean> =>
      jog((from) => from.with(joint, angle_deg * RAD_PER_DEG) as Joints),
  };
}

export type Jogger = ReturnType<typeof createJogger>;
