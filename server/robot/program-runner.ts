/**
 * Executes programs (§2.2): whenever nothing moves, takes the next steps until one takes time.
 * Evaluates loops, return motions between loops, waits and branches on the tick, from the I/O
 * values of that tick.
 */

import { type Condition, conditionHolds } from '../../physics/toolpath/conditions.ts';
import type { PlannedMove } from '../../physics/toolpath/program.ts';
import { executeStep, startCursor } from '../../physics/toolpath/program-interpreter.ts';
import { speedCap_m_s } from '../../physics/toolpath/speed-cap.ts';
import { ioKey, readIo, writeIo } from './io.ts';
import type { LoadedToolpath } from './loaded-toolpath.ts';
import type { Activity } from './memory.ts';
import type { RobotContext } from './robot-context.ts';
import { completeAtStandstill } from './standstill.ts';

/** Most instantaneous steps in one tick; a longer timeline without motion spreads over ticks. */
const STEPS_PER_TICK = 64;

/** Continues the current activity; called while no setpoint changes. */
export function continueActivity(context: RobotContext): void {
  const { memory } = context;
  const { activity } = memory;
  if (!activity || memory.ending || memory.awaited) return;
  if (memory.state !== 'running' && memory.state !== 'stopping') return;
  if (activity.kind !== 'run') finishActivity(context);
  else if (memory.loaded) takeSteps(context, activity, memory.loaded);
}

/** Ends the activity, at once or as soon as the arm stands. */
function finishActivity(context: RobotContext): void {
  context.memory.ending = 'motion_finished';
  completeAtStandstill(context);
}

function playMove(context: RobotContext, activity: Activity, move: PlannedMove): void {
  const teach = activity.mode === 'teach';
  const { tool_offset_m, payload_kg } = context.memory.loaded!.program;
  context.player.play({
    path: move.path,
    profile: teach ? move.teach : move.automatic,
    caps: {
      tool_speed_m_s: Math.min(move.tool_speed_m_s, speedCap_m_s(activity.mode)),
      tool_offset_m,
      payload_kg,
      timing: context.memory.timing,
    },
  });
}

function conditionMet(context: RobotContext, condition: Condition, since_s: number): boolean {
  const moment = { tick: context.tick, seed: context.options.seed };
  return conditionHolds(condition, {
    elapsed_s: context.now_s - since_s,
    read: (side, io) => readIo(context.memory.io, side, io, moment),
  });
}

function takeSteps(context: RobotContext, activity: Activity, loaded: LoadedToolpath): void {
  const world = {
    now_s: context.now_s,
    holds: (condition: Condition, since_s: number) => conditionMet(context, condition, since_s),
  };
  for (let steps = 0; steps < STEPS_PER_TICK && !context.player.moving; steps++) {
    const effect = executeStep(loaded.program, activity.cursor, world);
    if (effect.kind !== 'loop_done') activity.at = effect.at;
    switch (effect.kind) {
      case 'move':
        playMove(context, activity, effect.move);
        break;
      case 'output':
        writeIo(context.memory.io, 'outputs', ioKey(effect.io), effect.value);
        break;
      case 'waiting':
        return;
      case 'loop_done':
        if (countLoop(context)) {
          finishActivity(context);
          return;
        }
        Object.assign(activity.cursor, startCursor(loaded.program));
        if (effect.way_back) playMove(context, activity, effect.way_back);
        break;
      default:
        break;
    }
  }
}

/** Counts the completed loop; returns whether the run ends with it. */
function countLoop({ memory }: RobotContext): boolean {
  memory.loop_count += 1;
  const isTargetReached = memory.loop_target > 0 && memory.loop_count >= memory.loop_target;
  return isTargetReached || memory.state === 'stopping';
}
