/**
 * Records a twin: what is done to it, and what it gives, as lines of a tape. It follows the loop
 * and changes nothing; a twin that is recorded runs as one that is not.
 */
import type { Feedback } from '../../bridge/arm-driver.ts';
import type { ArmWorld } from '../../bridge/arm-world.ts';
import type { ArmDisturbance } from '../../bridge/disturbed-arm.ts';
import type { Command, LoadedToolpath } from '../robot/commands.ts';
import type { LoopListener } from '../robot/loop.ts';
import type { Refusal } from '../robot/refusal.ts';
import type { Robot } from '../robot/robot.ts';
import type { WorldAction } from '../robot/world-actions.ts';
import { changedFields, discreteFields, type Fields } from './discrete.ts';
import type { ImageLine, TapeLine } from './tape.ts';
import { TickRuns } from './tick-runs.ts';

/** Ticks between two marks (decision D40). */
const MARK_TICKS = 250;
/** Ticks between two images in passing: a minute. */
const IMAGE_TICKS = 15_000;

export interface RecorderParts {
  readonly robot: Robot;
  readonly world: ArmWorld;
  readonly disturbance: ArmDisturbance;
  readonly write: (line: TapeLine) => void;
}

export class Recorder implements LoopListener {
  private readonly parts: RecorderParts;
  private readonly runs = new TickRuns();
  private fields: Fields = {};
  private loaded: LoadedToolpath | null | undefined = undefined;
  private tick = 0;
  /** Where the runs that no mark holds yet begin. */
  private from = 0;
  private image_tick = 0;
  /** Joints at the last tick, for the mark that is still to be written. */
  private feedback: Feedback | null = null;

  constructor(parts: RecorderParts) {
    this.parts = parts;
  }

  /** Begins a tape before the tick `tick`. */
  begin(tick: number): void {
    this.image('start', tick);
  }

  private image(why: ImageLine['why'], tick: number): void {
    const { robot: source, world, disturbance, write } = this.parts;
    const whole = source.save(tick);
    const { loaded } = whole.memory;
    const robot = { ...whole, memory: { ...whole.memory, loaded: null } };
    const same = loaded === this.loaded && loaded !== null;
    const [bytes, memory] = [world.snapshot(), disturbance.save()];
    write({
      kind: 'image',
      tick,
      left_tick: why === 'restore' ? this.tick : tick,
      why,
      robot,
      loaded: same ? 'same' : loaded,
      world: bytes,
      disturbance: memory,
    });
    this.loaded = loaded;
    this.image_tick = tick;
    if (why === 'periodic') return;
    this.tick = tick;
    this.from = tick;
    this.fields = discreteFields(source.memory);
  }

  onRestore(tick: number): void {
    this.mark();
    this.image('restore', tick);
  }

  onCommand(command: Command, refusal: Refusal | null, tick: number): void {
    this.parts.write({ kind: 'command', tick, command, refused: refusal?.refused ?? null });
    this.change(tick);
  }

  onAction(action: WorldAction, tick: number): void {
    this.parts.write({ kind: 'action', tick, action });
  }

  onTick(feedback: Feedback, tick: number): void {
    this.change(tick);
    const crossed = Math.floor(tick / MARK_TICKS) > Math.floor(this.tick / MARK_TICKS);
    this.runs.note(feedback, tick - this.tick);
    this.tick = tick;
    this.feedback = feedback;
    if (!crossed || this.runs.still) return;
    this.mark();
    if (tick - this.image_tick >= IMAGE_TICKS) this.image('periodic', tick);
  }

  private change(tick: number): void {
    const now = discreteFields(this.parts.robot.memory);
    const fields = changedFields(this.fields, now);
    if (!fields) return;
    this.fields = now;
    this.parts.write({ kind: 'change', tick, fields });
  }

  private mark(): void {
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

  /** Ends the tape. */
  end(): void {
    this.mark();
    this.parts.write({ kind: 'end', tick: this.tick });
  }
}
