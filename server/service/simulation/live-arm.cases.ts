/** A robot on a simulated arm with a loaded toolpath, without the rest of a twin. Test code. */

import { expect } from 'vitest';
import { FaultInjectingDriver } from '../../../bridge/fault-injecting-driver.ts';
import { createSimulatedArm } from '../../../bridge/simulated/simulated-arm.ts';
import type {
  Joints,
  RunMode,
  SimFault,
  ToolpathMetadata,
} from '../../../contract/types.generated.ts';
import { Timers } from '../../clock/timers.ts';
import { planTasks, sourceOf } from '../../planning/plan-tasks.ts';
import type { Caller } from '../../robot/caller.ts';
import type { Command } from '../../robot/commands.ts';
import type { LoadedToolpath } from '../../robot/loaded-toolpath.ts';
import { ControlLoop } from '../../robot/loop.ts';
import { Robot } from '../../robot/robot.ts';
import { smallToolpath } from '../../toolpaths/small-toolpath.cases.ts';
import { RobotRuns } from './robot-runs.ts';

export const ADA: Caller = { user_id: 1, token_id: 1, role: 'admin' };
export const TICKS_PER_S = 250;
export const SMALL = smallToolpath();
/** Where the toolpath of the runs begins. */
const START = [0, 0.5, -1.7, 0, -1.2, 0];

/** A waypoint that differs from the start in the first joint. */
export function waypoint(label_id: number, first: number) {
  return { label_id, joints: [first, ...START.slice(1)] as Joints };
}

/** An arm that has not started, at the start of the toolpath. */
export function createTarget() {
  const arm = createSimulatedArm({ plant: 'fast', start: START });
  return { driver: new FaultInjectingDriver(arm), world: arm.world };
}

/** The small toolpath with other metadata, as a replay takes it. */
export function otherToolpath(
  metadata: Partial<ToolpathMetadata> = {},
  waypoints = SMALL.waypoints,
) {
  const toolpath = { ...SMALL, waypoints, metadata: { ...SMALL.metadata, ...metadata } };
  const json = new TextEncoder().encode(JSON.stringify(toolpath));
  const task = { toolpath: json, timing: null, range: null };
  return { hash: 'other', metadata: toolpath.metadata, task };
}

/** The small toolpath, built, with other metadata. */
export function smallLoaded(metadata: Partial<ToolpathMetadata> = {}): LoadedToolpath {
  const { task, ...rest } = otherToolpath(metadata);
  const plan = planTasks.program(task);
  if (plan.kind !== 'built') throw new Error(plan.error);
  return { ...rest, name: 'Small', program: plan.program, source: sourceOf(task, plan) };
}

/** A robot on a simulated arm whose runs are kept; it is past tick 0. */
export async function liveArm(faults: readonly SimFault[] = []) {
  const { driver, world } = createTarget();
  const feedback = await driver.start();
  const recover = () => driver.recover();
  const robot = new Robot({ feedback, epoch_ms: 0, timezone: 'UTC', seed: 1, recover });
  const loop = new ControlLoop({
    ...{ robot, driver, feedback, epoch_ms: 0, listeners: [] },
    worldPorts: { world, driverFaults: driver },
    timers: new Timers(),
  });
  const kept = { robot, loop, world, driverFaults: driver, driver: 'fast', recorded_by: 'test' };
  const runs = new RobotRuns(kept, () => faults);
  loop.subscribe(runs);
  const apply = (command: Command) => expect(loop.apply(command)).toBeNull();
  const advance = (time_s: number) =>
    loop.runTo(loop.tick + Math.round(time_s * TICKS_PER_S), { jump: true, stop: () => false });
  const run = (mode: RunMode = 'automatic', loops = 1) =>
    apply({ kind: 'run', caller: ADA, mode, loop: loops });
  advance(2);
  apply({ kind: 'lock', caller: ADA });
  apply({ kind: 'load', caller: ADA, toolpath: smallLoaded() });
  return { robot, loop, world, driver, runs, apply, advance, run };
}

export type LiveArm = Awaited<ReturnType<typeof liveArm>>;
