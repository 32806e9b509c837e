import type { Feedback } from '../../bridge/arm-driver.ts';
import type { ArmWorld } from '../../bridge/arm-world.ts';
import type { DriverFaults } from '../../bridge/fault-injecting-driver.ts';
import type { Refusal } from '../../contract/refusal.ts';
import { recordedToolpath } from '../planning/recorded-toolpath.ts';
import type { Command } from '../robot/commands.ts';
import type { LoadedToolpath } from '../robot/loaded-toolpath.ts';
import type { LoopListener } from '../robot/loop-listener.ts';
import type { Robot } from '../robot/robot.ts';
import type { WorldAction } from '../robot/world-actions.ts';
import { changedFields, type DiscreteFields, discreteFields } from './discrete-fields.ts';
import { recordedCommand } from './recorded-command.ts';
import { MARK_TICKS, type RecordingLine, type SnapshotLine } from './recording-format.ts';
import { TickRuns } from './tick-runs.ts';

/** Ticks between two periodic snapshots: one minute. */
const SNAPSHOT_TICKS = 15_000;

export interface RecorderParts {
  readonly robot: Robot;
  readonly world: ArmWorld;
  readonly driverFaults: DriverFaults;
  readonly write: (line: RecordingLine) => void;
}

/**
 * Records a twin's inputs and outputs as recording lines. It subscribes to the control loop and
 * does not affect the twin.
 */
export class Recorder implements LoopListener {
  private readonly parts: RecorderParts;
  private readonly runs = new TickRuns();
  private fields: DiscreteFields = {};
  private loaded: LoadedToolpath | null | undefined = undefined;
  private tick = 0;
  /** First tick that no mark covers yet. */
  private from = 0;
  private snapshot_tick = 0;
  /** Feedback of the last tick, for the next mark. */
  private feedback: Feedback | null = null;

  constructor(parts: RecorderParts) {
    this.parts = parts;
  }

  /** Starts the recording before the tick `tick`. */
  start(tick: number): void {
    this.writeSnapshot('start', tick);
  }

  private writeSnapshot(why: SnapshotLine['why'], tick: number): void {
    const { robot: source, world, driverFaults, write } = this.parts;
    const snapshot = source.save(tick);
    const { loaded } = snapshot.memory;
    const robot = { ...snapshot, memory: { ...snapshot.memory, loaded: null } };
    const same = loaded === this.loaded && loaded !== null;
    const [bytes, memory] = [world.snapshot(), driverFaults.save()];
    write({
      kind: 'image',
      tick,
      left_tick: why === 'restore' ? this.tick : tick,
      why,
      robot,
      loaded: same ? 'same' : loaded && recordedToolpath(loaded),
      world: bytes,
      disturbance: memory,
    });
    this.loaded = loaded;
    this.snapshot_tick = tick;
    if (why === 'periodic') return;
    this.tick = tick;
    this.from = tick;
    this.fields = discreteFields(source.memory);
  }

  onRestore(tick: number): void {
    this.writeMark();
    this.writeSnapshot('restore', tick);
  }

  onCommand(command: Command, refusal: Refusal | null, tick: number): void {
    const refused = refusal?.refused ?? null;
    this.parts.write({ kind: 'command', tick, command: recordedCommand(command), refused });
    this.writeChange(tick);
  }

  onAction(action: WorldAction, tick: number): void {
    this.parts.write({ kind: 'action', tick, action });
  }

  onTick(feedback: Feedback, tick: number): void {
    this.writeChange(tick);
    const crossed = Math.floor(tick / MARK_TICKS) > Math.floor(this.tick / MARK_TICKS);
    const cell = this.parts.world.cell?.states.memory ?? null;
    this.runs.record(feedback, tick - this.tick, cell);
    this.tick = tick;
    this.feedback = feedback;
    if (!crossed || this.runs.still) return;
    this.writeMark();
    if (tick - this.snapshot_tick >= SNAPSHOT_TICKS) this.writeSnapshot('periodic', tick);
  }

  private writeChange(tick: number): void {
    const now = discreteFields(this.parts.robot.memory);
    const fields = changedFields(this.fields, now);
    if (!fields) return;
    this.fields = now;
    this.parts.write({ kind: 'change', tick, fields });
  }

  private writeMark(): void {
    const { feedback, tick } = this;
    if (!feedback) return;
    this.parts.write({
      kind: 'mark',
      from: this.from,
      tick,
      runs: this.runs.take(),
      position_rad: Float64Array.from(feedback.position_rad),
      velocity_rad_s: Float64Array.from(feedback.velocity_rad_s),
    });
    this.feedback = null;
    this.from = tick;
  }

  /** Writes the last lines. */
  finish(): void {
    this.writeMark();
    this.parts.write({ kind: 'end', tick: this.tick });
  }
}
