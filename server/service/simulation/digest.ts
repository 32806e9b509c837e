import { createHash } from 'node:crypto';
import type { Feedback } from '../../../bridge/arm-driver.ts';
import type { ArmWorld } from '../../../bridge/arm-world.ts';
import { cellFingerprint } from '../../../physics/cell/cell-fingerprint.ts';
import { MARK_TICKS } from '../../recording/recording-format.ts';
import { createIo } from '../../robot/io.ts';
import type { ControlLoop } from '../../robot/loop.ts';
import type { LoopEvent } from '../../robot/loop-event.ts';
import type { LoopListener } from '../../robot/loop-listener.ts';
import type { RobotMemory } from '../../robot/memory.ts';
import { SignalChanges } from '../../robot/signal-changes.ts';

const { inputs, outputs } = createIo();
const INPUTS = Object.keys(inputs);
const OUTPUTS = Object.keys(outputs);

/** The twin whose digest it is; the loop is made after its listeners. */
interface DigestParts {
  readonly robot: { readonly memory: Readonly<RobotMemory> };
  readonly world: ArmWorld | null;
  readonly loop: () => Pick<ControlLoop, 'tick' | 'latestFeedback'>;
}

/** What changes at once, as the digest has it; its signals are those of the robot, not a copy. */
function discreteOf(memory: Readonly<RobotMemory>) {
  const { state, loop_count, loop_target, estop, io, lock, activity } = memory;
  return {
    state,
    loop_count,
    loop_target,
    estop,
    inputs: io.inputs,
    outputs: io.outputs,
    lock: lock?.holder.token_id ?? null,
    activity: activity?.kind ?? null,
  };
}

/**
 * A running digest of the twin (decisions D38, D40): SHA-256 over a chain and the present. The
 * chain has positions, velocities, state, I/O, lock, log and cell of every 250th tick, and each
 * change of state, I/O and lock with its tick. The present is the tick, with the same values and
 * the log since the last 250th tick. Runs with the same commands at the same ticks have equal
 * digests at the same tick, at every pace, on machines of one kind, with and without idle jumps:
 * unchanged values are in the chain once, telemetry never.
 */
export class Digest implements LoopListener {
  private hash = createHash('sha256');
  private readonly parts: DigestParts;
  private mark = 0;
  private fed = '';
  /** The values of `discreteOf` at the last tick, one after another. */
  private readonly seen: unknown[] = [];
  /** The objects that had these values. */
  private latest: Partial<RobotMemory> = {};
  private signals = new SignalChanges();
  private at = 0;
  /** Changes since the last mark: tick, number of the value, value. */
  private changes = '';
  private log: string[] = [];

  constructor(parts: DigestParts) {
    this.parts = parts;
  }

  /** Restarts the digest after a reset of the twin. */
  restart(): void {
    this.hash = createHash('sha256');
    this.mark = 0;
    this.fed = '';
    this.seen.length = 0;
    // The next tick finds changes in them, and notes all values.
    this.signals = new SignalChanges();
    this.changes = '';
    this.log = [];
  }

  onEvents(events: readonly LoopEvent[]): void {
    for (const event of events) if (event.kind === 'log') this.log.push(event.text);
  }

  onTick(feedback: Feedback, tick: number): void {
    this.noteChanges(tick);
    const mark = Math.floor(tick / MARK_TICKS);
    if (mark === this.mark) return;
    this.mark = mark;
    this.hash.update(this.changes);
    this.changes = '';
    const text = this.describe(feedback);
    const log = this.log.splice(0);
    if (text === this.fed && log.length === 0) return;
    this.fed = text;
    this.hash.update(text).update(JSON.stringify(log));
  }

  /**
   * Without it, a signal that comes and goes between two marks would not be in the digest. Runs at
   * every tick, so it looks first whether any object that has the values was replaced.
   */
  private noteChanges(tick: number): void {
    const { memory } = this.parts.robot;
    const hasSignals = this.signals.take(memory.io);
    if (!hasSignals && this.hasSeen(memory)) return;
    const { state, loop_count, loop_target, estop, io, lock, activity } = memory;
    this.latest = { state, loop_count, loop_target, estop, lock, activity };
    this.at = 0;
    this.note(tick, state);
    this.note(tick, loop_count);
    this.note(tick, loop_target);
    this.note(tick, estop);
    this.note(tick, lock?.holder.token_id);
    this.note(tick, activity?.kind);
    if (!hasSignals) return;
    for (const name of INPUTS) this.note(tick, io.inputs[name]);
    for (const name of OUTPUTS) this.note(tick, io.outputs[name]);
  }

  private hasSeen(memory: RobotMemory): boolean {
    const { latest } = this;
    return (
      memory.state === latest.state &&
      memory.activity === latest.activity &&
      memory.lock === latest.lock &&
      memory.loop_count === latest.loop_count &&
      memory.loop_target === latest.loop_target &&
      memory.estop === latest.estop
    );
  }

  private note(tick: number, value: unknown): void {
    if (this.seen[this.at] !== value) {
      this.seen[this.at] = value;
      this.changes += `${tick} ${this.at} ${value}\n`;
    }
    this.at += 1;
  }

  private describe(feedback: Feedback): string {
    const { robot, world } = this.parts;
    const joints = Buffer.alloc(96);
    for (let joint = 0; joint < 6; joint++) {
      joints.writeDoubleLE(feedback.position_rad[joint]!, 8 * joint);
      joints.writeDoubleLE(feedback.velocity_rad_s[joint]!, 48 + 8 * joint);
    }
    const cell = world?.cell ? cellFingerprint(world.cell) : '';
    return joints.toString('base64') + JSON.stringify(discreteOf(robot.memory)) + cell;
  }

  /** The digest of everything up to the present tick, hexadecimal. */
  value(): string {
    const { tick, latestFeedback } = this.parts.loop();
    const end = JSON.stringify([tick, this.changes, this.describe(latestFeedback), this.log]);
    return this.hash.copy().update(end).digest('hex');
  }
}
