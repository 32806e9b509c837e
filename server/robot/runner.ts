/**
 * Carries a run on: whenever nothing moves, takes the next steps of the program until one of them
 * takes time (spec §2.2). Loops, the way back between them, waits and branches are decided here,
 * on the tick, from I/O as it is at that moment.
 */

import { limits } from '../../contract/limits.ts';
import { conditionHolds } from '../../physics/toolpath/conditions.ts';
import { startCursor, takeStep } from '../../physics/toolpath/player.ts';
import type { Condition, PlannedMove } from '../../physics/toolpath/program.ts';
import type { LoadedToolpath } from './commands.ts';
import type { RobotCore } from './core.ts';
import { keyOf, readIo, writeIo } from './io.ts';
import type { Activity } from './memory.ts';

/** Steps that take no time, in one tick; a timeline without motion spreads over many ticks. */
const STEPS_PER_TICK = 64;

/** Goes on with whatever the robot is busy with; called while nothing moves. */
export function progress(core: RobotCore): void {
  const { memory } = core;
  if (memory.dropping) {
    core.change('motion_dropped');
    core.endActivity();
    return;
  }
  const { activity } = memory;
  if (!activity || (memory.state !== 'running' && memory.state !== 'stopping')) return;
  if (activity.kind !== 'run') finish(core);
  else if (memory.loaded) takeSteps(core, activity, memory.loaded);
}

function finish(core: RobotCore): void {
  core.change('motion_finished');
  core.endActivity();
}

function begin(core: RobotCore, activity: Activity, move: PlannedMove): void {
  const teach = activity.mode === 'teach';
  const cap_m_s = teach ? limits.speed_teach_m_per_s : limits.speed_automatic_m_per_s;
  core.mover.begin({
    path: move.path,
    profile: teach ? move.teach : move.automatic,
    caps: {
      tool_speed_m_s: Math.min(move.tool_speed_m_s, cap_m_s),
      tool_offset_m: core.memory.loaded!.program.tool_offset_m,
    },
  });
}

function holds(core: RobotCore, condition: Condition, since_s: number): boolean {
  const moment = { tick: core.tick, seed: core.options.seed };
  return conditionHolds(condition, {
    elapsed_s: core.now_s - since_s,
    read: (side, io) => readIo(core.memory.io, side, io, moment),
  });
}

function takeSteps(core: RobotCore, activity: Activity, loaded: LoadedToolpath): void {
  const world = {
    now_s: core.now_s,
    holds: (condition: Condition, since_s: number) => holds(core, condition, since_s),
  };
  for (let steps = 0; steps < STEPS_PER_TICK && !core.mover.moving; steps++) {
    const effect = takeStep(loaded.program, activity.cursor, world);
    if (effect.kind !== 'loop_done') activity.at = effect.at;
    switch (effect.kind) {
      case 'move':
        begin(core, activity, effect.move);
        break;
      case 'output':
        writeIo(core.memory.io, 'outputs', keyOf(effect.io), effect.value);
        break;
      case 'waiting':
        return;
      case 'loop_done':
        if (!nextLoop(core, activity, loaded, effect.way_back)) return;
        break;
      default:
        break;
    }
  }
}

/** Counts the loop and starts another; false when the run is over. */
function nextLoop(
  core: RobotCore,
  activity: Activity,
  loaded: LoadedToolpath,
  way_back: PlannedMove | null,
): boolean {
  const { memory } = core;
  memory.loop_count += 1;
  const last = memory.loop_target > 0 && memory.loop_count >= memory.loop_target;
  if (last || memory.state === 'stopping') {
    finish(core);
    return false;
  }
  Object.assign(activity.cursor, startCursor(loaded.program));
  if (way_back) begin(core, activity, way_back);
  return true;
}
