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

/** What a digest has taken in so far; part of the snapshot format. */
export interface DigestState {
  /** SHA-256 over all marks that had news, each with the one before. */
  readonly chain: string;
  /** SHA-256 of what the latest of them had. */
  readonly fed: string;
  /** The values of `discreteOf` at the last tick, one after another. */
  readonly seen: readonly (string | number | boolean | null)[];
  /** Changes and log since the last mark. */
  readonly changes: string;
  readonly log: readonly string[];
}

const EMPTY: DigestState = { chain: '', fed: '', seen: [], changes: '', log: [] };

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * A running digest of the twin (decisions D38, D40): SHA-256 over a chain and the present. The
 * chain has positions, velocities, state, I/O, lock, log and cell of every 250th tick, and each
 * change of state, I/O and lock with its tick. The present is the tick, with the same values and
 * the log since the last 250th tick. Runs with the same commands at the same ticks have equal
 * digests at the same tick, at every pace, on machines of one kind, with and without idle jumps:
 * unchanged values are in the chain once, telemetry never. A link of the chain is the SHA-256 of
 * the link before and of what is new, so that a snapshot can hold it: a restored run continues it.
 */
export class Digest implements LoopListener {
  private readonly parts: DigestParts;
  private mark = 0;
  private chain = EMPTY.chain;
  private fed = EMPTY.fed;
  private seen = [...EMPTY.seen];
  /** The objects that had the seen values. */
  private latest: Partial<RobotMemory> = {};
  private signals = new SignalChanges();
  private at = 0;
  /** Changes since the last mark: tick, number of the value, value. */
  private changes = EMPTY.changes;
  private log = [...EMPTY.log];

  constructor(parts: DigestParts) {
    this.parts = parts;
  }

  /** What it has taken in, for a snapshot. */
  save(): DigestState {
    const { chain, fed, seen, changes, log } = this;
    return { chain, fed, seen: [...seen], changes, log: [...log] };
  }

  /** Continues from a snapshot of the twin that was taken before the tick `tick`. */
  restore({ chain, fed, seen, changes, log }: DigestState, tick: number): void {
    Object.assign(this, { chain, fed, seen: [...seen], changes, log: [...log] });
    this.mark = Math.floor(tick / MARK_TICKS);
    // The next tick compares all values with those that were seen.
    this.latest = {};
    this.signals = new SignalChanges();
  }

  onEvents(events: readonly LoopEvent[]): void {
    for (const event of events) if (event.kind === 'log') this.log.push(event.text);
  }

  onTick(feedback: Feedback, tick: number): void {
    this.noteChanges(tick);
    const mark = Math.floor(tick / MARK_TICKS);
    if (mark === this.mark) return;
    this.mark = mark;
    const fed = sha256(this.describe(feedback));
    const { changes, log } = this;
    if (fed === this.fed && changes === '' && log.length === 0) return;
    this.chain = sha256(JSON.stringify([this.chain, changes, fed, log]));
    this.fed = fed;
    this.changes = '';
    this.log = [];
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
    this.note(tick, lock?.holder.token_id ?? null);
    this.note(tick, activity?.kind ?? null);
    if (!hasSignals) return;
    for (const name of INPUTS) this.note(tick, io.inputs[name] ?? null);
    for (const name of OUTPUTS) this.note(tick, io.outputs[name] ?? null);
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

  private note(tick: number, value: DigestState['seen'][number]): void {
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
    const present = sha256(this.describe(latestFeedback));
    return sha256(JSON.stringify([this.chain, tick, this.changes, present, this.log]));
  }
}
