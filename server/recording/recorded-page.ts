/**
 * A recording as the document of a page: joints at 50 Hz while they move, and in words what
 * happened. Follows a repetition, so that the page shows what the bits say and not a retelling.
 */
import { type Feedback, TICK_S } from '../../bridge/arm-driver.ts';
import type {
  RecordedMotion,
  RecordedRemark,
  RecordingDocument,
} from '../../contract/export-document.ts';
import type { ToolpathMetadata } from '../../contract/types.ts';
import type { RobotEvent } from '../robot/events.ts';
import type { LoopListener } from '../robot/loop.ts';
import type { Robot } from '../robot/robot.ts';
import { changedFields, discreteFields, type Fields } from './discrete.ts';

const POSE_TICKS = 5;
const JOINTS = 6;
/** Joints that turn less than this rest: no sample is worth its bytes (rad). */
const REST_RAD = 1e-6;

function base64(numbers: readonly number[]): string {
  const bytes = Buffer.alloc(4 * numbers.length);
  for (const [i, value] of numbers.entries()) bytes.writeFloatLE(value, 4 * i);
  return bytes.toString('base64');
}

/** Signals that have changed, in words; the log tells of states. */
function remarkOf(fields: Fields, at_s: number): RecordedRemark[] {
  return Object.entries(fields).flatMap(([field, value]): RecordedRemark[] => {
    if (!/^(in|out)puts\./.test(field)) return [];
    return [{ at_s, kind: 'signal', words: `${field} ${JSON.stringify(value)}` }];
  });
}

interface Sample {
  readonly tick: number;
  readonly position: readonly number[];
  readonly velocity: readonly number[];
}

export class RecordedPage implements LoopListener {
  private readonly robot: Robot;
  private readonly samples: Sample[] = [];
  private readonly remarks: RecordedRemark[] = [];
  /** The last sample that was left out because nothing moved. */
  private still: Sample | null = null;
  private fields: Fields;
  private metadata: ToolpathMetadata | null = null;
  private first: number | null = null;

  constructor(robot: Robot) {
    this.robot = robot;
    this.fields = discreteFields(robot.memory);
  }

  onTick(feedback: Feedback, tick: number): void {
    this.first ??= tick;
    const { memory } = this.robot;
    const now = discreteFields(memory);
    const changes = changedFields(this.fields, now);
    if (changes) this.remarks.push(...remarkOf(changes, this.time_s(tick)));
    this.fields = now;
    this.metadata = memory.loaded?.metadata ?? this.metadata;
    if (tick % POSE_TICKS !== 0 && tick !== this.first) return;
    this.take({
      tick,
      position: Array.from(feedback.position_rad),
      velocity: Array.from(feedback.velocity_rad_s),
    });
  }

  onEvents(events: readonly RobotEvent[], tick: number): void {
    for (const event of events) {
      if (event.kind !== 'log') continue;
      this.remarks.push({ at_s: this.time_s(tick), kind: 'log', words: event.text });
    }
  }

  /** All of it, up to a tick: the arm rests from the last sample on. */
  document(name: string, made_by: string, tick: number): RecordingDocument {
    const last = this.samples.at(-1);
    if (last && tick > last.tick) this.samples.push({ ...last, tick });
    const { remarks, metadata } = this;
    return { kind: 'recording', name, made_by, metadata, motion: this.motion(), remarks };
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

  /** Keeps a sample where the joints move, and the last of a rest before they do again. */
  private take(sample: Sample): void {
    const last = this.samples.at(-1);
    const moved = (joint: number) =>
      Math.abs(sample.position[joint]! - last!.position[joint]!) > REST_RAD;
    const joints = Array.from({ length: JOINTS }, (_, joint) => joint);
    if (last && !joints.some(moved)) {
      this.still = sample;
      return;
    }
    if (this.still) this.samples.push(this.still);
    this.still = null;
    this.samples.push(sample);
  }
}
