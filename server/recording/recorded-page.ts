import { type Feedback, TICK_S } from '../../bridge/arm-driver.ts';
import type { ArmWorld } from '../../bridge/arm-world.ts';
import type {
  RecordedCellChange,
  RecordedMotion,
  RecordedRemark,
  RecordingDocument,
} from '../../contract/export-document.ts';
import type { CellState, ToolpathMetadata } from '../../contract/types.generated.ts';
import { CellChanges } from '../../physics/cell/cell-changes.ts';
import { cellState } from '../../physics/cell/cell-state.ts';
import type { LoopEvent } from '../robot/loop-event.ts';
import type { LoopListener } from '../robot/loop-listener.ts';
import type { Robot } from '../robot/robot.ts';
import { changedFields, type DiscreteFields, discreteFields } from './discrete-fields.ts';

const POSE_TICKS = 5;
const JOINTS = 6;
/** Position changes below this count as rest and are not sampled (rad). */
const REST_RAD = 1e-6;

function base64(numbers: readonly number[]): string {
  const bytes = Buffer.alloc(4 * numbers.length);
  for (const [i, value] of numbers.entries()) bytes.writeFloatLE(value, 4 * i);
  return bytes.toString('base64');
}

/** A number that changed less than this before, such as an encoder's, still changes (s). */
const STANDS_S = 0.1;

/**
 * Remarks on changed signals; the log entries cover state changes. A number that changes on and on
 * gets one remark. `changed_s` holds when each signal has changed.
 */
function signalRemarks(
  fields: DiscreteFields,
  at_s: number,
  changed_s: Map<string, number>,
): RecordedRemark[] {
  return Object.entries(fields).flatMap(([field, value]): RecordedRemark[] => {
    if (!/^(in|out)puts\./.test(field)) return [];
    const before_s = changed_s.get(field) ?? Number.NEGATIVE_INFINITY;
    changed_s.set(field, at_s);
    if (typeof value === 'number' && at_s - before_s < STANDS_S) return [];
    return [{ at_s, kind: 'signal', words: `${field} ${JSON.stringify(value)}` }];
  });
}

/** The state without the poses of held objects, which follow from the arm. */
function withoutHeldPoses(state: CellState): CellState {
  const position = { x: 0, y: 0, z: 0 };
  const orientation = { w: 1, ...position };
  const objects = state.objects.map((object) =>
    object.held_by === null ? object : { ...object, position, orientation },
  );
  return { ...state, objects };
}

/** Collects the changes of a cell, in the same words as the simulation stream. */
class CellTrack {
  readonly changes: RecordedCellChange[] = [];
  private readonly world: Pick<ArmWorld, 'cell'>;
  private seen = new CellChanges();
  private shown: ArmWorld['cell'] = null;
  private revision = -1;
  /** The cell whose events are reported, up to an id. */
  private reported: ArmWorld['cell'] = null;
  private lastEvent = 0;

  constructor(world: Pick<ArmWorld, 'cell'>) {
    this.world = world;
    this.skipEvents();
  }

  /** What has happened in the world up to now happened before: no remark reports it. */
  skipEvents(): void {
    this.reported = this.world.cell;
    this.lastEvent = this.reported?.events.last ?? 0;
  }

  /** Remarks on what happened since the last call; signals have remarks of their own. */
  remarks(at_s: number): RecordedRemark[] {
    const { cell } = this.world;
    if (cell !== this.reported) {
      this.reported = cell;
      this.lastEvent = 0;
    }
    if (!cell || cell.events.last === this.lastEvent) return [];
    const { lastEvent } = this;
    this.lastEvent = cell.events.last;
    const isNew = cell.events.list().filter(({ id, kind }) => id > lastEvent && kind !== 'sensor');
    return isNew.map(({ text }) => ({ at_s, kind: 'log', words: text }));
  }

  take(at_s: number): void {
    const { cell } = this.world;
    if (cell !== this.shown) {
      this.shown = cell;
      this.seen = new CellChanges();
      this.revision = -1;
      this.changes.push({ at_s, cell: cell?.model.description ?? null });
    }
    if (!cell || cell.revision === this.revision) return;
    this.revision = cell.revision;
    const state = this.seen.take(withoutHeldPoses(cellState(cell)));
    if (state) this.changes.push({ at_s, state });
  }
}

interface Sample {
  readonly tick: number;
  readonly position: readonly number[];
  readonly velocity: readonly number[];
}

/**
 * Converts a replay to the document of an exported page: joint samples at 50 Hz while the arm moves
 * (rad, rad/s), changes of the cell, and remarks on signals and log entries. Subscribes to the
 * replay's control loop.
 */
export class RecordingPageBuilder implements LoopListener {
  private readonly robot: Robot;
  private readonly cell: CellTrack;
  private readonly samples: Sample[] = [];
  private readonly remarks: RecordedRemark[] = [];
  /** The last sample that was skipped because nothing moved. */
  private skipped: Sample | null = null;
  private readonly signalsChanged_s = new Map<string, number>();
  private fields: DiscreteFields;
  private metadata: ToolpathMetadata | null = null;
  private readonly toolpaths = new Set<string>();
  private first: number | null = null;

  constructor(robot: Robot, world: Pick<ArmWorld, 'cell'>) {
    this.robot = robot;
    this.cell = new CellTrack(world);
    this.fields = discreteFields(robot.memory);
  }

  onTick(feedback: Feedback, tick: number): void {
    this.first ??= tick;
    const { memory } = this.robot;
    const now = discreteFields(memory);
    const changes = changedFields(this.fields, now);
    if (changes) {
      this.remarks.push(...signalRemarks(changes, this.time_s(tick), this.signalsChanged_s));
    }
    this.fields = now;
    if (memory.loaded) {
      this.metadata = memory.loaded.metadata;
      this.toolpaths.add(memory.loaded.name);
    }
    this.remarks.push(...this.cell.remarks(this.time_s(tick)));
    if (tick % POSE_TICKS !== 0 && tick !== this.first) return;
    this.cell.take(this.time_s(tick));
    this.take({
      tick,
      position: Array.from(feedback.position_rad),
      velocity: Array.from(feedback.velocity_rad_s),
    });
  }

  onEvents(events: readonly LoopEvent[], tick: number): void {
    for (const event of events) {
      if (event.kind !== 'log') continue;
      this.remarks.push({ at_s: this.time_s(tick), kind: 'log', words: event.text });
    }
  }

  onRestore(): void {
    this.cell.skipEvents();
  }

  /** The name of the toolpath that was loaded; null where it was none or several. */
  get toolpath(): string | null {
    const [name = null, ...others] = this.toolpaths;
    return others.length === 0 ? name : null;
  }

  /** The document up to a tick; the arm is at rest after the last sample. */
  document(name: string, made_by: string, tick: number): RecordingDocument {
    const last = this.samples.at(-1);
    if (last && tick > last.tick) this.samples.push({ ...last, tick });
    const { remarks, metadata } = this;
    const shown = { metadata, motion: this.motion(), remarks, cell: this.cell.changes };
    return { kind: 'recording', name, made_by, ...shown };
  }

  private motion(): RecordedMotion {
    const { samples } = this;
    if (samples.length < 2) throw new Error('the recording is shorter than two samples');
    return {
      times_s: samples.map(({ tick }) => this.time_s(tick)),
      position_rad: base64(samples.flatMap(({ position }) => position)),
      velocity_rad_s: base64(samples.flatMap(({ velocity }) => velocity)),
    };
  }

  private time_s(tick: number): number {
    return Number(((tick - (this.first ?? tick)) * TICK_S).toFixed(3));
  }

  /** Adds a sample while the joints move, and the last one of each rest. */
  private take(sample: Sample): void {
    const last = this.samples.at(-1);
    const moved = (joint: number) =>
      Math.abs(sample.position[joint]! - last!.position[joint]!) > REST_RAD;
    const joints = Array.from({ length: JOINTS }, (_, joint) => joint);
    if (last && !joints.some(moved)) {
      this.skipped = sample;
      return;
    }
    if (this.skipped) this.samples.push(this.skipped);
    this.skipped = null;
    this.samples.push(sample);
  }
}
