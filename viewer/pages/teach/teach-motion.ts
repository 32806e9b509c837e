/**
 * Moves the arm for teaching: one go_to at a time in teach mode, holding the lock, waiting for each
 * to finish. All motion goes through the API, which also computes tool steps. §4.5, §4.7.
 */

import type { ArmClient } from '../../../contract/client.ts';
import type {
  FoundJoints,
  Joints,
  TcpConfig,
  ToolpathMetadata,
} from '../../../contract/types.generated.ts';
import type { ArmRange } from '../../../physics/arm/arm-range.ts';
import { createPoseReader, createTool } from '../../../physics/kinematics/tool.ts';
import { matrixToQuaternion } from '../../../physics/math/rotation.ts';
import type { ArmCalls } from '../../link/arm-calls.ts';
import type { ArmStore } from '../../link/arm-store.ts';
import type { Commands } from '../../link/commands.ts';
import { failureNotice } from '../../link/failure-notice.ts';
import { motionErrorText } from '../../toolpath/toolpath-text.ts';
import { AXES } from '../../ui/units.ts';
import { axisOf } from './gizmo-geometry.ts';
import { applyPoseChange, type Handle } from './handle-kinds.ts';
import type { TeachSettings } from './teach-settings.ts';

/** Polling period while waiting for the arm to stop. */
const POLL_MS = 40;
/** The arm is at its last goal within this (rad). */
const AT_GOAL_RAD = 0.01;
/** Maximum age of the page's snapshot relative to the arm's own reply. */
const SETTLE_MS = 500;

/** Tool and zones for moving the arm. */
export type MotionOptions = Partial<Pick<ToolpathMetadata, 'tcp_config' | 'avoidance_zones'>>;

interface Parts {
  readonly arm: ArmStore;
  readonly calls: ArmCalls;
  readonly commands: Commands;
  readonly settings: TeachSettings;
  readonly motionOptions: () => MotionOptions;
  /** The range of the joints. */
  readonly range: () => ArmRange;
}

/** Resolves when the signal is given. */
function released(held: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (held.aborted) resolve();
    else held.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Whether the arm is at a goal. */
const isAt = (goal: Joints, measured: Joints): boolean =>
  goal.every((angle, j) => Math.abs(angle - measured[j]!) < AT_GOAL_RAD);

/** Tool pose for joint angles and a tool. */
export function toolPoseOf(joints: Joints, tool: TcpConfig | undefined): Float64Array {
  return createPoseReader()(joints, createTool(tool));
}

/** Motion of the arm that `calls` reach, under the lock. */
export class TeachMotion {
  moving = false;
  private ended_ms = Number.NEGATIVE_INFINITY;
  private readonly parts: Parts;
  private goal: Joints | null = null;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** Goes to joint angles (rad) and waits; returns false if refused or not reached. */
  goTo(joints: Joints): Promise<boolean> {
    return this.exclusively(() => this.moveTo(joints));
  }

  /** Goes to what `change` returns for the current joint angles (rad). */
  jog(change: (from: Joints) => Joints): Promise<boolean> {
    return this.exclusively(async () => {
      const from = await this.startJoints();
      return from !== null && this.moveTo(change(from));
    });
  }

  /**
   * Turns a joint by the first of some angles (rad) that can be reached, the farthest first, and stops
   * it where it is when it is released.
   */
  turnWhileHeld(joint: number, angles: readonly number[], held: AbortSignal): Promise<boolean> {
    return this.exclusively(async () => {
      const from = await this.startJoints();
      if (!from || !(await this.parts.commands.acquireLock())) return false;
      for (const by_rad of angles) {
        const angle = from[joint]! + by_rad;
        const { min_rad, max_rad } = this.parts.range();
        if (angle < min_rad[joint]! || angle > max_rad[joint]!) continue;
        if (held.aborted) return false;
        const to = from.with(joint, angle) as Joints;
        if (await this.start(to)) return this.waitForStop(to, held);
      }
      return false;
    });
  }

  /**
   * Moves or turns the tool by an amount (m, rad) from the current pose; one that is held stops where
   * it is when it is released.
   */
  step(handle: Handle, amount: number, held: AbortSignal | null = null): Promise<boolean> {
    return this.computeAndMove(
      (client, joints) => this.calculate(client, { joints, handle, amount }),
      held,
    );
  }

  /** Moves the tool to what `change` returns for its current pose (layout of forward kinematics). */
  moveTool(change: (from: Float64Array) => Float64Array): Promise<boolean> {
    const target = (from: Joints) =>
      change(toolPoseOf(from, this.parts.motionOptions().tcp_config));
    return this.computeAndMove((client, joints) => this.solve(client, joints, target(joints)));
  }

  /** Whether the page's state may still be from a motion that has just ended. */
  settling(): boolean {
    return this.moving || performance.now() - this.ended_ms < SETTLE_MS;
  }

  /** Goes to the joint angles that the API computes from the current pose. */
  private computeAndMove(
    call: (client: ArmClient, joints: Joints) => Promise<FoundJoints>,
    held: AbortSignal | null = null,
  ): Promise<boolean> {
    return this.exclusively(async () => {
      const joints = await this.startJoints();
      const found = joints && (await this.callOrNotify((client) => call(client, joints)));
      if (!found) return false;
      if (found.result === 'success') return this.moveTo(found.joints, held);
      const reason = motionErrorText(found.error);
      const text = `The arm cannot go there: ${reason}. Choose another target.`;
      this.parts.arm.set({ notice: { text, code: found.error } });
      return false;
    });
  }

  /**
   * Uses nudge along the base's axes, rotate about the tool's axes, and inverse kinematics
   * otherwise.
   */
  private async calculate(
    client: ArmClient,
    request: { readonly joints: Joints; readonly handle: Handle; readonly amount: number },
  ): Promise<FoundJoints> {
    const { joints, handle, amount: offset } = request;
    const frame = this.parts.settings.frame.peek();
    const load = this.parts.motionOptions();
    const axis = AXES[handle.axis]!;
    if (handle.kind === 'move' && frame === 'base') {
      return (await client.nudge({ joints, direction: axis, offset, ...load })).nudge;
    }
    if (handle.kind === 'turn' && frame === 'tool') {
      return (await client.rotate({ joints, axis, offset, ...load })).rotate;
    }
    const pose = toolPoseOf(joints, load.tcp_config);
    const along = axisOf(pose, handle.axis, frame);
    return this.solve(
      client,
      joints,
      applyPoseChange(pose, { kind: handle.kind, along, amount: offset }),
    );
  }

  private async solve(client: ArmClient, guess: Joints, pose: Float64Array): Promise<FoundJoints> {
    const position = { x: pose[9]!, y: pose[10]!, z: pose[11]! };
    const orientation = matrixToQuaternion(pose);
    const body = { guess, position, orientation, ...this.parts.motionOptions() };
    return (await client.inverseKinematics(body)).ik;
  }

  /**
   * Start of a step: the last goal if the arm is there, so that steps add up, otherwise the
   * measured angles. Requests a snapshot, because the page's may be from the motion before.
   */
  private async startJoints(): Promise<Joints | null> {
    const reply = await this.callOrNotify((client) => client.getSnapshot());
    if (!reply) return null;
    const measured = reply.snapshot['servos.telemetry.position'];
    const { goal } = this;
    return goal && isAt(goal, measured) ? goal : measured;
  }

  /** Starts a motion; false if it is refused. */
  private start(joints: Joints): Promise<boolean> {
    const { commands, settings, motionOptions: load } = this.parts;
    this.goal = null;
    return commands.goTo({
      mode: 'teach',
      joints,
      max_speed: settings.speed_m_s.peek(),
      ...load(),
    });
  }

  private async moveTo(joints: Joints, held: AbortSignal | null = null): Promise<boolean> {
    if (!(await this.start(joints))) return false;
    const arrived = await this.waitForStop(joints, held);
    if (arrived) this.goal = joints;
    return arrived;
  }

  /**
   * Waits until the arm stops, which it does when it is released; returns whether it is ready, and has
   * not been stopped before its goal: one whose lock was taken away stops on its way, and is ready.
   */
  private async waitForStop(goal: Joints, held: AbortSignal | null = null): Promise<boolean> {
    let isStopped = false;
    for (;;) {
      if (held?.aborted && !isStopped) {
        isStopped = true;
        await this.parts.commands.cancel();
      }
      const reply = await this.callOrNotify((client) => client.getSnapshot());
      if (!reply) return false;
      const { 'servos.telemetry.position': joints, control } = reply.snapshot;
      const { state } = control;
      if (state !== 'running' && state !== 'stopping' && state !== 'paused') {
        return state === 'ready' && !isStopped && isAt(goal, joints);
      }
      await Promise.race([
        new Promise((resolve) => setTimeout(resolve, POLL_MS)),
        ...(held && !isStopped ? [released(held)] : []),
      ]);
    }
  }

  /** Returns the reply of a call; on failure shows a notice and returns null. */
  private async callOrNotify<Reply>(
    call: (client: ArmClient) => Promise<Reply>,
  ): Promise<Reply | null> {
    const outcome = await this.parts.calls.call(call);
    if (!outcome.ok) this.parts.arm.set({ notice: failureNotice(outcome.error) });
    return outcome.ok ? outcome.value : null;
  }

  /** Allows one motion at a time; a request during another is ignored. */
  private async exclusively(call: () => Promise<boolean>): Promise<boolean> {
    if (this.moving) return false;
    this.moving = true;
    try {
      return await call();
    } finally {
      this.moving = false;
      this.ended_ms = performance.now();
    }
  }
}
