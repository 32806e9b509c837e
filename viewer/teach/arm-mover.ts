/**
 * Moves the arm for teaching: one go_to after the other, each waited for, in teach mode, with the
 * lock. Everything goes through the API; a step of the tool is calculated by it too. Spec 4.5, 4.7.
 */
import type { ArmClient } from '../../contract/client.ts';
import type { FoundJoints, Joints, TcpConfig, ToolpathMetadata } from '../../contract/types.ts';
import { createFrames, forward } from '../../physics/kinematics/forward.ts';
import { createTool, POSE_SIZE, toolPose } from '../../physics/kinematics/tool.ts';
import { matrixToQuaternion } from '../../physics/math/rotation.ts';
import type { ArmCalls } from '../link/arm-calls.ts';
import type { ArmStore } from '../link/arm-store.ts';
import { type Commands, noticeOf } from '../link/commands.ts';
import { codeWords } from '../toolpath/finding-words.ts';
import { axisOf, changedPose, type Handle } from './gizmo-maths.ts';
import type { TeachSettings } from './teach-settings.ts';

/** Between two looks at whether the arm has come to rest. */
const LOOK_MS = 40;
/** The arm counts as standing at its last goal within this (rad). */
const AT_GOAL_RAD = 0.01;
/** A snapshot of the page may be this much older than the arm's own word. */
const SETTLE_MS = 500;
const AXES = ['x', 'y', 'z'] as const;

/** Tool and zones that the arm is moved with. */
export type Load = Partial<Pick<ToolpathMetadata, 'tcp_config' | 'avoidance_zones'>>;

export interface ArmMover {
  /** Goes to joint angles (rad) and waits; false when it was refused or did not get there. */
  goTo(joints: Joints): Promise<boolean>;
  /** Goes to what `change` makes of the joint angles (rad) that the arm stands at. */
  jog(change: (from: Joints) => Joints): Promise<boolean>;
  /** Moves or turns the tool by an amount (m, rad) from where the arm stands. */
  step(handle: Handle, amount: number): Promise<boolean>;
  /** Brings the tool to what `change` makes of its pose (of forward kinematics). */
  reach(change: (from: Float64Array) => Float64Array): Promise<boolean>;
  readonly moving: boolean;
  /** Whether what the page knows of the arm may still be of a motion that has just ended. */
  settling(): boolean;
}

interface Parts {
  readonly arm: ArmStore;
  readonly calls: ArmCalls;
  readonly commands: Commands;
  readonly settings: TeachSettings;
  readonly load: () => Load;
}

/** The tool pose of joint angles with a tool. */
export function toolPoseOf(joints: Joints, tool: TcpConfig | undefined): Float64Array {
  const [frames, pose] = [createFrames(), new Float64Array(POSE_SIZE)];
  forward(joints, frames);
  toolPose(frames, createTool(tool), pose);
  return pose;
}

class LockedMover implements ArmMover {
  moving = false;
  private ended_ms = Number.NEGATIVE_INFINITY;
  private readonly parts: Parts;
  private goal: Joints | null = null;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  goTo(joints: Joints): Promise<boolean> {
    return this.alone(() => this.travel(joints));
  }

  jog(change: (from: Joints) => Joints): Promise<boolean> {
    return this.alone(async () => {
      const from = await this.standing();
      return from !== null && this.travel(change(from));
    });
  }

  step(handle: Handle, amount: number): Promise<boolean> {
    return this.find((client, joints) => this.calculate(client, { joints, handle, amount }));
  }

  reach(change: (from: Float64Array) => Float64Array): Promise<boolean> {
    const asked = (from: Joints) => change(toolPoseOf(from, this.parts.load().tcp_config));
    return this.find((client, joints) => this.solve(client, joints, asked(joints)));
  }

  settling(): boolean {
    return this.moving || performance.now() - this.ended_ms < SETTLE_MS;
  }

  /** Goes to what the API calculates from where the arm stands. */
  private find(act: (client: ArmClient, joints: Joints) => Promise<FoundJoints>): Promise<boolean> {
    return this.alone(async () => {
      const joints = await this.standing();
      const found = joints && (await this.calls((client) => act(client, joints)));
      if (!found) return false;
      if (found.result === 'success') return this.travel(found.joints);
      const text = `The arm cannot go there: ${codeWords(found.error)}. Go another way.`;
      this.parts.arm.set({ notice: { text, code: found.error } });
      return false;
    });
  }

  /** Nudges go along the base's axes and turns about the tool's; the rest is inverse kinematics. */
  private async calculate(
    client: ArmClient,
    asked: { readonly joints: Joints; readonly handle: Handle; readonly amount: number },
  ): Promise<FoundJoints> {
    const { joints, handle, amount: offset } = asked;
    const { frame } = this.parts.settings.view();
    const load = this.parts.load();
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
      changedPose(pose, { kind: handle.kind, along, amount: offset }),
    );
  }

  private async solve(client: ArmClient, guess: Joints, pose: Float64Array): Promise<FoundJoints> {
    const position = { x: pose[9]!, y: pose[10]!, z: pose[11]! };
    const orientation = matrixToQuaternion(pose);
    const body = { guess, position, orientation, ...this.parts.load() };
    return (await client.inverseKinematics(body)).ik;
  }

  /**
   * Where a step starts: the goal of the last, so that steps add up, if the arm is there. Asks the
   * arm, for what the page knows may be of the motion before.
   */
  private async standing(): Promise<Joints | null> {
    const reply = await this.calls((client) => client.getSnapshot());
    if (!reply) return null;
    const measured = reply.snapshot['servos.telemetry.position'];
    const { goal } = this;
    const there = goal?.every((angle, j) => Math.abs(angle - measured[j]!) < AT_GOAL_RAD);
    return goal && there ? goal : measured;
  }

  private async travel(joints: Joints): Promise<boolean> {
    const { commands, settings, load } = this.parts;
    const max_speed = settings.view().speed_m_s;
    this.goal = null;
    if (!(await commands.goTo({ mode: 'teach', joints, max_speed, ...load() }))) return false;
    const arrived = await this.rest();
    if (arrived) this.goal = joints;
    return arrived;
  }

  /** Waits until the arm stands still, and says whether it stands ready. */
  private async rest(): Promise<boolean> {
    for (;;) {
      const reply = await this.calls((client) => client.getSnapshot());
      const state = reply?.snapshot.control.state;
      if (state !== 'running' && state !== 'stopping' && state !== 'paused') {
        return state === 'ready';
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }

  /** The reply of a call; null after its failure has become a notice. */
  private async calls<Reply>(act: (client: ArmClient) => Promise<Reply>): Promise<Reply | null> {
    const outcome = await this.parts.calls.call(act);
    if (!outcome.ok) this.parts.arm.set({ notice: noticeOf(outcome.error) });
    return outcome.ok ? outcome.value : null;
  }

  /** One motion at a time: what is asked during another is not done. */
  private async alone(act: () => Promise<boolean>): Promise<boolean> {
    if (this.moving) return false;
    this.moving = true;
    try {
      return await act();
    } finally {
      this.moving = false;
      this.ended_ms = performance.now();
    }
  }
}

/** A mover of the arm behind `calls`. */
export function createArmMover(parts: Parts): ArmMover {
  return new LockedMover(parts);
}
