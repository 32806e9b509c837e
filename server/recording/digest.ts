/**
 * A running digest of the twin (decisions D38, D40): SHA-256 over positions, velocities, state,
 * I/O, lock, log and cell, updated every 250 ticks. Runs with the same commands at the same ticks
 * have equal digests at every pace, on machines of one kind, with and without idle jumps:
 * unchanged values are hashed once, telemetry never.
 */
import { createHash } from 'node:crypto';
import type { Feedback } from '../../bridge/arm-driver.ts';
import type { LoopEvent } from '../robot/commands.ts';
import type { LoopListener } from '../robot/loop.ts';
import type { RobotMemory } from '../robot/robot-context.ts';

const MARK_TICKS = 250;

export class Digest implements LoopListener {
  private hash = createHash('sha256');
  private readonly memory: () => Readonly<RobotMemory>;
  /** Text of what is in the cell; empty without one. */
  private readonly cell: () => string;
  private mark = 0;
  private fed = '';
  private log: string[] = [];

  constructor(memory: () => Readonly<RobotMemory>, cell: () => string = () => '') {
    this.memory = memory;
    this.cell = cell;
  }

  /** Restarts the digest after a reset of the twin. */
  restart(): void {
    this.hash = createHash('sha256');
    this.mark = 0;
    this.fed = '';
    this.log = [];
  }

  onEvents(events: readonly LoopEvent[]): void {
    for (const event of events) if (event.kind === 'log') this.log.push(event.text);
  }

  onTick(feedback: Feedback, tick: number): void {
    const mark = Math.floor(tick / MARK_TICKS);
    if (mark === this.mark) return;
    this.mark = mark;
    const text = this.describe(feedback);
    const log = this.log.splice(0);
    if (text === this.fed && log.length === 0) return;
    this.fed = text;
    this.hash.update(text).update(JSON.stringify(log));
  }

  private describe(feedback: Feedback): string {
    const { state, loop_count, loop_target, estop, io, lock, activity } = this.memory();
    const joints = Buffer.alloc(96);
    for (let joint = 0; joint < 6; joint++) {
      joints.writeDoubleLE(feedback.position_rad[joint]!, 8 * joint);
      joints.writeDoubleLE(feedback.velocity_rad_s[joint]!, 48 + 8 * joint);
    }
    const discrete = {
      state,
      loop_count,
      loop_target,
      estop,
      inputs: io.inputs,
      outputs: io.outputs,
      lock: lock?.holder.token_id ?? null,
      activity: activity?.kind ?? null,
    };
    return joints.toString('base64') + JSON.stringify(discrete) + this.cell();
  }

  /** The fingerprint so far, hexadecimal. */
  value(): string {
    return this.hash.copy().digest('hex');
  }
}
