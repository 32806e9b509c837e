/**
 * A robot and its simulated arm without the service around them, played tick by tick (test code).
 */
import { type ArmDriver, type Feedback, TICK_S } from '../../bridge/arm-driver.ts';
import { externalArm, type LineProgram } from '../../bridge/line-program.cases.ts';
import {
  createSimulatedArm,
  type SimulatedArmOptions,
} from '../../bridge/simulated/simulated-arm.ts';
import type { Refusal } from '../../contract/refusal.ts';
import { largestDifference } from '../../physics/math/vector.ts';
import { planGoTo } from '../../physics/toolpath/go-to.ts';
import type { Caller } from './caller.ts';
import type { Command } from './commands.ts';
import { Robot } from './robot.ts';

/** The user who holds the lock. */
export const CALLER: Caller = { user_id: 1, token_id: 1, role: 'admin' };
/** Longest wait of `until`. */
const LIMIT_S = 12;
const REST_RAD_S = 1e-3;

/** The plants, and an external arm whose program drives a simulated one. */
export const DRIVERS = ['fast', 'rapier', 'external'] as const;
export type DriverName = (typeof DRIVERS)[number];

/** Starts a robot on a driver. */
export async function startRun(
  name: DriverName,
  options: Omit<SimulatedArmOptions, 'plant'>,
): Promise<ArmRun> {
  if (name !== 'external') {
    const arm = createSimulatedArm({ plant: name, ...options });
    return new ArmRun(arm, await arm.start());
  }
  const arm = createSimulatedArm({ plant: 'fast', ...options });
  const { driver, feedback, program } = await externalArm(arm);
  const run = new ArmRun(arm, feedback, driver);
  run.program = program;
  return run;
}

export class ArmRun {
  readonly states: string[] = [];
  /** Mode of the last setpoint and its first sample in the tick (rad). */
  mode = '';
  readonly sample_rad = new Float64Array(6);
  readonly bodies = new Set<number>();
  peak_n = 0;
  tick = 0;
  readonly arm;
  readonly robot: Robot;
  feedback: Feedback;
  /** The program of an external arm. */
  program: LineProgram | null = null;
  private readonly driver: Pick<ArmDriver, 'exchange' | 'recover'>;

  /** `driver` is what the robot talks to; default the arm itself. */
  constructor(
    arm: ReturnType<typeof createSimulatedArm>,
    feedback: Feedback,
    driver: Pick<ArmDriver, 'exchange' | 'recover'> = arm,
  ) {
    this.arm = arm;
    this.driver = driver;
    this.feedback = feedback;
    this.robot = new Robot({
      feedback,
      epoch_ms: 0,
      timezone: 'UTC',
      seed: 1,
      recover: () => driver.recover(),
    });
  }

  get state(): string {
    return this.robot.memory.state;
  }

  get force_n(): number {
    return this.arm.world.touches().reduce((sum, { force_n }) => sum + force_n, 0);
  }

  get isStill(): boolean {
    return this.feedback.velocity_rad_s.every((rate) => Math.abs(rate) < REST_RAD_S);
  }

  /** Executes a command; its refusal, or null. */
  command(command: Command): Refusal | null {
    return this.robot.apply(command, this.tick) as Refusal | null;
  }

  /** Executes a command that must not be refused. */
  apply(command: Command): void {
    const refusal = this.command(command);
    if (refusal) throw new Error(`${command.kind}: ${JSON.stringify(refusal)}`);
  }

  step(): void {
    const setpoint = this.robot.tick(this.feedback, this.tick);
    this.mode = setpoint.mode;
    this.sample_rad.set(setpoint.samples.subarray(6, 12));
    this.feedback = this.driver.exchange(setpoint, TICK_S);
    this.tick += 1;
    this.peak_n = Math.max(this.peak_n, this.force_n);
    for (const { link } of this.arm.world.touches()) this.bodies.add(link);
    if (this.states.at(-1) !== this.state) this.states.push(this.state);
  }

  /** Advances until `done`; the time it took (s), `limit_s` at most. */
  until(done: () => boolean, limit_s = LIMIT_S): number {
    const start = this.tick;
    while (!done() && (this.tick - start) * TICK_S < limit_s) this.step();
    return (this.tick - start) * TICK_S;
  }

  /** Looks on for a time; the largest force in it (N). */
  watch(time_s: number): number {
    let most_n = 0;
    const end = this.tick + Math.round(time_s / TICK_S);
    while (this.tick < end) {
      this.step();
      most_n = Math.max(most_n, this.force_n);
    }
    return most_n;
  }

  goTo(joints: readonly number[], speed_m_s: number): void {
    const start = Float64Array.from(this.robot.restPose);
    const plan = planGoTo({ start, joints, mode: 'automatic', max_speed: speed_m_s });
    if (!plan.ok) throw new Error(plan.message);
    const { path, profile } = plan.segment;
    const caps = { tool_speed_m_s: speed_m_s, tool_offset_m: [0, 0, 0] as const };
    const motion = { path, profile, caps, start };
    this.apply({ kind: 'go_to', caller: CALLER, mode: 'automatic', motion });
    this.step();
  }

  /** Moves away; returns how far the first setpoint is from where the arm really stood (rad). */
  stepOfMove(joints: readonly number[]): number {
    // The encoders of an ideal arm say where the plant is.
    this.arm.world.setRealism('ideal');
    this.step();
    const stood = Float64Array.from(this.feedback.position_rad);
    this.goTo(joints, 0.25);
    if (this.mode !== 'follow') throw new Error(`the move starts in mode ${this.mode}`);
    return largestDifference(this.sample_rad, stood);
  }
}
