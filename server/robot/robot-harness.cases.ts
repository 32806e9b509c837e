/** A robot on an ideal arm, for tests of everything above the joints. Test code. */
import { type Feedback, type Setpoint, TICK_S } from '../../bridge/arm-driver.ts';
import type { ToolpathMetadata } from '../../contract/types.generated.ts';
import { planJointMove } from '../../physics/motion/joint-move.ts';
import { END_OF_LOOP, type Program, type ProgramStep } from '../../physics/toolpath/program.ts';
import type { Caller } from './caller.ts';
import type { Command } from './commands.ts';
import { InvariantMonitor } from './invariant-monitor.ts';
import { recordViolation } from './invariant-violations.ts';
import type { LoadedToolpath, ProgramSource } from './loaded-toolpath.ts';
import { Robot } from './robot.ts';
import type { RobotOptions } from './robot-context.ts';

export const ADA: Caller = { user_id: 1, token_id: 1, role: 'admin' };
export const BEN: Caller = { user_id: 2, token_id: 2, role: 'user' };

export const HOME = [0, 0.4, -1.8, 0, -1.4, 0];
export const AWAY = [0.4, 0.3, -1.7, 0, -1.4, 0];
const NO_OFFSET = [0, 0, 0] as const;

type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/** Ideal joints: they follow the setpoints exactly; tests set faults and contacts. */
export class IdealArm {
  readonly feedback: Writable<Feedback> = {
    position_rad: Float64Array.from(HOME),
    velocity_rad_s: new Float64Array(6),
    temperature_c: new Float64Array(6).fill(45),
    torque_n_m: new Float64Array(6),
    age_s: 0,
    fault: null,
    contact: null,
    standing: true,
    at_rest: true,
  };

  exchange(setpoint: Setpoint): Feedback {
    const { position_rad, velocity_rad_s } = this.feedback;
    const follow = setpoint.mode === 'follow';
    let moving = false;
    for (let joint = 0; joint < 6; joint++) {
      const next = follow ? setpoint.samples[30 + joint]! : position_rad[joint]!;
      if (next !== position_rad[joint]) moving = true;
      velocity_rad_s[joint] = (next - position_rad[joint]!) / TICK_S;
      position_rad[joint] = next;
    }
    this.feedback.at_rest = !moving;
    this.feedback.standing = !moving;
    return this.feedback;
  }
}

/** A move between two poses, with both time profiles. */
export function moveStep(from: number[], to: number[], next: number): ProgramStep {
  const start = Float64Array.from(from);
  const end = Float64Array.from(to);
  const timed = (tool_speed_m_s: number) => {
    const caps = { tool_speed_m_s, tool_offset_m: NO_OFFSET };
    return planJointMove({ start, end, caps, waypoints: [] });
  };
  const automatic = timed(1.5);
  const move = {
    path: automatic.path,
    automatic: automatic.profile,
    teach: timed(0.25).profile,
    tool_speed_m_s: 1.5,
  };
  return { kind: 'move', move, next, at: '/timeline/1', cell: [] };
}

const METADATA: ToolpathMetadata = {
  version: 2,
  default_max_speed: 0.5,
  analog_modes: { i0: 'voltage', i1: 'voltage', o0: 'voltage', o1: 'voltage' },
  next_label_id: 3,
  payload: 0,
};

/** A loaded toolpath of these steps. */
/** The source of a program that no test plans again. */
export const NO_SOURCE: ProgramSource = {
  toolpath_deflated: new Uint8Array(),
  timing: null,
  range: null,
  program_sha256: '',
};

export function toolpathOf(
  steps: readonly ProgramStep[],
  extra: Partial<Program> = {},
): LoadedToolpath {
  const program: Program = {
    home: Float64Array.from(HOME),
    steps,
    first: steps.length === 0 ? END_OF_LOOP : 0,
    payload_kg: 0,
    tool_offset_m: NO_OFFSET,
    analog_modes: METADATA.analog_modes,
    output_on_error: null,
    default_tool_speed_m_s: 0.5,
    ...extra,
  };
  return { name: 'There and back', hash: 'ab', program, source: NO_SOURCE, metadata: METADATA };
}

/** From home to another pose and back. */
export function thereAndBack(): LoadedToolpath {
  return toolpathOf([moveStep(HOME, AWAY, 1), moveStep(AWAY, HOME, END_OF_LOOP)]);
}

/** A robot with its arm, ticked by the test. */
export class RobotHarness {
  readonly arm = new IdealArm();
  /** Result of the driver's `recover`. */
  recovers = true;
  readonly robot: Robot;
  readonly monitor: InvariantMonitor;
  tick = 0;

  constructor(options: Partial<RobotOptions> = {}) {
    this.robot = new Robot({
      feedback: this.arm.feedback,
      epoch_ms: 0,
      timezone: 'UTC',
      seed: 1,
      recover: () => {
        if (this.recovers) Object.assign(this.arm.feedback, { fault: null, contact: null });
        return this.recovers;
      },
      ...options,
    });
    const { robot, arm } = this;
    this.monitor = new InvariantMonitor({
      robot,
      feedback: arm.feedback,
      onViolation: recordViolation,
    });
  }

  get state(): string {
    return this.robot.memory.state;
  }

  /** Advances the time (s). */
  advance(seconds: number): void {
    const end = this.tick + Math.round(seconds / TICK_S);
    while (this.tick < end) {
      const feedback = this.arm.exchange(this.robot.tick(this.arm.feedback, this.tick));
      this.tick += 1;
      this.monitor.onTick(feedback, this.tick);
    }
  }

  /** Advances until the robot is in a state; false at the time limit. */
  advanceUntil(state: string, limit_s = 60): boolean {
    for (let t = 0; t < limit_s && this.state !== state; t += TICK_S) this.advance(TICK_S);
    return this.state === state;
  }

  /** Executes a command; returns the name of the refusal, or null. */
  apply(command: Command): string | null {
    const refusal = this.robot.apply(command, this.tick);
    this.monitor.onCommand();
    return refusal?.refused ?? null;
  }

  /** Advances until nothing waits for standstill; returns the time it took (s). */
  settle(limit_s = 5): number {
    const start = this.tick;
    const isWaiting = () => {
      const { awaited, teach_braking, button_released, state, estop } = this.robot.memory;
      return awaited || teach_braking || button_released || (state === 'disabled' && !estop);
    };
    while (isWaiting() && (this.tick - start) * TICK_S < limit_s) this.advance(TICK_S);
    return (this.tick - start) * TICK_S;
  }

  /** Acquires the lock and loads a toolpath. */
  prepare(toolpath: LoadedToolpath = thereAndBack()): this {
    this.apply({ kind: 'lock', caller: ADA });
    this.apply({ kind: 'load', caller: ADA, toolpath });
    return this;
  }
}
