/** The arm of this twin as the scheduler's port knows it (scheduler/arm-port.ts). */

import { isRefusal, type Refusal } from '../../contract/refusal.ts';
import type { RobotState } from '../../contract/robot-states.ts';
import { type SafetyState, safetyOf } from '../../contract/safety-state.ts';
import type { TransportConfig } from '../../contract/types.generated.ts';
import { speedCap_m_s } from '../../physics/toolpath/speed-cap.ts';
import type {
  ArmFollower,
  ArmHold,
  ArmMotion,
  ArmPort,
  ArmWay,
  PlannedRest,
  ToolpathLoader,
} from '../../scheduler/arm-port.ts';
import { toolpathText } from '../documents/toolpath-text.ts';
import { planTasks } from '../planning/plan-tasks.ts';
import type { Planner } from '../planning/planner.ts';
import type { Caller } from '../robot/caller.ts';
import { ioKey } from '../robot/io.ts';
import type { LoadedToolpath } from '../robot/loaded-toolpath.ts';
import type { ControlLoop } from '../robot/loop.ts';
import type { Robot } from '../robot/robot.ts';
import { isSamePause, type PausedMotion } from '../robot/trajectory-player.ts';
import { claimantOf } from '../shares/claimant.ts';

interface RobotArmParts {
  readonly robot: Robot;
  readonly loop: ControlLoop;
  readonly planner: Pick<Planner, 'load' | 'resume'>;
}

/** The arm through its robot, its control loop and its planner. */
export class RobotArm implements ArmPort {
  private readonly parts: RobotArmParts;

  constructor(parts: RobotArmParts) {
    this.parts = parts;
  }

  get state(): RobotState {
    return this.parts.robot.memory.state;
  }

  get safety(): SafetyState {
    return safetyOf(this.parts.robot.memory);
  }

  get error(): string | null {
    return this.parts.robot.memory.error;
  }

  get restPose(): Float64Array {
    return this.parts.robot.restPose;
  }

  get isAtRest(): boolean {
    const { robot } = this.parts;
    return !robot.isMoving && !robot.isCommandAwaited;
  }

  get isIdle(): boolean {
    return this.parts.robot.memory.activity === null;
  }

  get isReady(): boolean {
    return this.parts.robot.memory.ending === null;
  }

  loaderFor(caller: Caller): ToolpathLoader {
    const { planner, robot } = this.parts;
    return {
      load(name, toolpath) {
        const claimant = claimantOf(caller, robot);
        return planner.load({ name, toolpath: toolpathText(toolpath), claimant });
      },
    };
  }

  planWay({ speed_m_s, ...ends }: ArmWay): ArmMotion | { readonly fault: string } {
    const { memory, range } = this.parts.robot;
    const { timing } = memory;
    const max_speed = Math.min(speed_m_s, speedCap_m_s('automatic'));
    const plan = planTasks.goTo({ ...ends, max_speed, timing, range, mode: 'automatic' });
    if (!plan.ok) return { fault: plan.message };
    const { path, profile } = plan.segment;
    const tool_offset_m = [0, 0, 0] as const;
    const caps = { tool_speed_m_s: max_speed, tool_offset_m, payload_kg: 0, timing };
    return { start: ends.start, path, profile, caps };
  }

  follow(follower: ArmFollower): () => void {
    return this.parts.loop.subscribe({
      onEvents(events) {
        for (const event of events) if (event.kind === 'safety') follower.onSafety(event.state);
      },
      onCommand({ kind }) {
        if (kind === 'power_cycle' || kind === 'finish_update') follower.onPowerCycle();
      },
      onTick: () => follower.onTick(),
      onRestore: () => follower.onRestore(),
    });
  }

  keepAwake(isNeeded: () => boolean): () => void {
    return this.parts.loop.keepAwake(isNeeded);
  }

  holdFor(caller: Caller, gripper: TransportConfig['gripper']): ArmHold {
    return new RobotHold(this.parts, caller, gripper);
  }
}

/** The commands of one user, and the gripper at an output. */
class RobotHold implements ArmHold {
  private readonly parts: RobotArmParts;
  private readonly caller: Caller;
  /** Key of the output that the gripper follows. */
  private readonly output: string;
  /** Value of the output at which the gripper is closed. */
  private readonly closed: boolean;

  constructor(parts: RobotArmParts, caller: Caller, gripper: TransportConfig['gripper']) {
    this.parts = parts;
    this.caller = caller;
    this.output = ioKey(gripper);
    this.closed = gripper.closed;
  }

  get hasLock(): boolean {
    return this.parts.robot.holdsLock(this.caller);
  }

  lock(): Refusal | null {
    return this.parts.loop.apply({ kind: 'lock', caller: this.caller });
  }

  renewLock(): void {
    this.parts.loop.apply({ kind: 'renew_lock', caller: this.caller });
  }

  unlock(): void {
    this.parts.loop.apply({ kind: 'release_lock', caller: this.caller });
  }

  get refusal(): Refusal | null {
    return this.parts.robot.refusalOf({ kind: 'load', caller: this.caller });
  }

  goTo(motion: ArmMotion): Refusal | null {
    const { caller } = this;
    return this.parts.loop.apply({ kind: 'go_to', caller, mode: 'automatic', motion });
  }

  run(toolpath: LoadedToolpath): Refusal | null {
    const { caller } = this;
    const { loop } = this.parts;
    const refusal = loop.apply({ kind: 'load', caller, toolpath });
    return refusal ?? loop.apply({ kind: 'run', caller, mode: 'automatic', loop: 1 });
  }

  stop(): void {
    this.parts.loop.apply({ kind: 'abort_motion', caller: this.caller });
  }

  pause(): void {
    this.parts.loop.apply({ kind: 'pause', caller: this.caller });
  }

  planRest(): Promise<PlannedRest> | null {
    const { pausedMotion } = this.parts.robot;
    return pausedMotion && this.restOf(pausedMotion);
  }

  private async restOf(motion: PausedMotion): Promise<PlannedRest> {
    const { robot, planner } = this.parts;
    const profile = await planner.resume(motion, claimantOf(this.caller, robot));
    return () => (isRefusal(profile) || !isSamePause(robot.pausedMotion, motion) ? null : profile);
  }

  resume(rest: PlannedRest | null): Refusal | null {
    const profile = rest?.() ?? null;
    return this.parts.loop.apply({ kind: 'resume', caller: this.caller, profile });
  }

  get isGripperClosed(): boolean {
    return this.parts.robot.memory.io.outputs[this.output] === this.closed;
  }

  setGripper(isClosed: boolean): void {
    const changes = [{ key: `outputs.${this.output}`, value: this.closed === isClosed }];
    this.parts.loop.apply({ kind: 'globals', caller: this.caller, changes });
  }
}
