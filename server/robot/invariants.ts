/**
 * Monitors the statements of invariant-statements.ts after every tick and every command. A
 * violation is a bug of the twin: it is logged, counted in /metrics and published on
 * /sim/v1/stream, and it fails the test that causes it.
 */
import { type Feedback, TICK_S } from '../../bridge/arm-driver.ts';
import { VELOCITY_MAX_RAD_S } from '../../physics/arm/arm-model.ts';
import * as kinematics from '../../physics/kinematics/forward.ts';
import type { LoopEvent } from './commands.ts';
import {
  fastestJoint_rad_s,
  isStationary,
  MOVING_RAD_S,
  SPEED_SLACK,
  STATEMENTS,
  type StatementRow,
  type View,
} from './invariant-statements.ts';
import type { LoopListener } from './loop.ts';
import type { RobotMemory } from './memory.ts';

/** Ticks between two samples of the flange speed: 100 ms. */
const FLANGE_SAMPLE_TICKS = 25;
/** Largest step of a reference in a tick (rad). */
const STEP_MAX_RAD = VELOCITY_MAX_RAD_S.map((rate) => SPEED_SLACK * TICK_S * rate);
/** Violations kept for tests. */
const RECORDED_MAX = 100;

/** A statement that did not hold: what was published, and what contradicts it. */
export interface InvariantViolation {
  readonly statement: string;
  readonly left: string;
  readonly right: string;
  readonly tick: number;
}

/** The robot as the monitor reads it. */
export interface MonitoredRobot {
  readonly memory: Readonly<RobotMemory>;
  readonly isMoving: boolean;
  /** Identity of the present change tracking; null while changes are not tracked. */
  readonly changeTracker: object | null;
  /** Reference of the joints at the end of the last tick (rad). */
  readonly reference: Float64Array;
}

type Statement = keyof typeof STATEMENTS;

const ROWS = Object.entries(STATEMENTS) as readonly (readonly [Statement, StatementRow])[];

const recorded: InvariantViolation[] = [];

/** Violations of all twins of this process since the last call, for tests. */
export function takeViolations(): readonly InvariantViolation[] {
  return recorded.splice(0);
}

/** What the last evaluation read. */
type Seen = Pick<RobotMemory, 'activity' | 'lock' | 'ending' | 'awaited' | 'estop'>;

export interface InvariantMonitorParts {
  readonly robot: MonitoredRobot;
  readonly feedback: Feedback;
  readonly onViolation: (violation: InvariantViolation) => void;
}

export class InvariantMonitor implements LoopListener {
  private readonly parts: InvariantMonitorParts;
  private readonly view: View;
  private readonly isViolated = new Uint8Array(ROWS.length);
  private readonly violationCounts: Partial<Record<Statement, number>> = {};
  private readonly reference = new Float64Array(6);
  private readonly frames = kinematics.createFrames();
  private readonly flange_m = new Float64Array(3);
  private flange_tick = -1;
  private wasMoving = false;
  private seen_published: unknown = null;
  private changeTracker: object | null = null;
  private readonly seen: Seen;

  constructor(parts: InvariantMonitorParts) {
    const { memory, isMoving } = parts.robot;
    this.parts = parts;
    this.seen = { ...parts.robot.memory };
    this.view = {
      memory,
      feedback: parts.feedback,
      tick: 0,
      isMoving,
      still_ticks: 0,
      drift_ticks: 0,
      before: memory.state,
      loops_before: memory.loop_count,
      isDisturbed: false,
      flange_m_s: 0,
      fastJoint: -1,
      published: null,
    };
  }

  /** Violations by statement; empty while every statement has held. */
  get counts(): Readonly<Partial<Record<Statement, number>>> {
    return this.violationCounts;
  }

  onEvents(events: readonly LoopEvent[]): void {
    this.forgetUntracked();
    for (const event of events) {
      if (event.kind !== 'state_change') continue;
      const control = event.changes['control'] as { readonly state?: unknown } | undefined;
      if (control?.state !== undefined) this.view.published = control.state;
    }
  }

  /** The changes of a command are published after this call: the next tick compares them. */
  onCommand(): void {
    const { view } = this;
    const { published } = view;
    view.published = null;
    this.evaluate();
    view.published = published;
  }

  onTick(feedback: Feedback, tick: number): void {
    const { view } = this;
    view.feedback = feedback;
    view.tick = tick;
    view.still_ticks = this.parts.robot.isMoving ? 0 : view.still_ticks + 1;
    const isDrifting = isStationary(view.before) && fastestJoint_rad_s(feedback) > MOVING_RAD_S;
    view.drift_ticks = isDrifting ? view.drift_ticks + 1 : 0;
    this.measureReference();
    const isSampled = tick % FLANGE_SAMPLE_TICKS <= 1;
    if (isSampled) this.measureFlange(feedback.position_rad);
    if (isSampled || !this.wasMoving || view.fastJoint >= 0 || this.hasChanged()) this.evaluate();
  }

  /** Whether anything changed that the statements read in motion, besides what is measured. */
  private hasChanged(): boolean {
    const { view, seen } = this;
    const { memory } = this.parts.robot;
    return (
      memory.state !== view.before ||
      memory.activity !== seen.activity ||
      memory.lock !== seen.lock ||
      memory.ending !== seen.ending ||
      memory.awaited !== seen.awaited ||
      memory.estop !== seen.estop ||
      memory.loop_count !== view.loops_before ||
      view.published !== this.seen_published
    );
  }

  onAction(): void {
    this.view.isDisturbed = true;
  }

  onRestore(tick: number): void {
    const { view, parts } = this;
    const { memory } = parts.robot;
    Object.assign(view, { tick, memory, before: memory.state, loops_before: memory.loop_count });
    Object.assign(view, { isDisturbed: true, flange_m_s: 0, fastJoint: -1, published: null });
    this.wasMoving = false;
  }

  private measureReference(): void {
    const { view, reference, parts } = this;
    const { robot } = parts;
    const now = robot.reference;
    view.fastJoint = -1;
    for (let j = 0; j < 6; j++) {
      const angle = now[j]!;
      const step = angle - reference[j]!;
      if (step > STEP_MAX_RAD[j]! || -step > STEP_MAX_RAD[j]!) view.fastJoint = j;
      reference[j] = angle;
    }
    if (!this.wasMoving) view.fastJoint = -1;
    this.wasMoving = robot.isMoving;
  }

  /** Measures the speed of the flange between two consecutive ticks, both in motion. */
  private measureFlange(position_rad: Float64Array): void {
    const { frames, flange_m, view } = this;
    const isSecond = view.tick === this.flange_tick + 1;
    view.flange_m_s = 0;
    if (!this.wasMoving) return;
    this.flange_tick = view.tick;
    kinematics.forward(position_rad, frames);
    const at = kinematics.FLANGE_FRAME * kinematics.FRAME_SIZE + 9;
    const x = frames[at]! - flange_m[0]!;
    const y = frames[at + 1]! - flange_m[1]!;
    const z = frames[at + 2]! - flange_m[2]!;
    for (let axis = 0; axis < 3; axis++) flange_m[axis] = frames[at + axis]!;
    if (isSecond) view.flange_m_s = Math.sqrt(x * x + y * y + z * z) / TICK_S;
  }

  /** Changes between two trackings are not published: the state of the first one is no claim. */
  private forgetUntracked(): void {
    const { changeTracker } = this.parts.robot;
    if (changeTracker !== null && changeTracker === this.changeTracker) return;
    this.changeTracker = changeTracker;
    this.view.published = null;
  }

  private evaluate(): void {
    const { view, isViolated, parts } = this;
    const { robot } = parts;
    const { memory } = robot;
    view.memory = memory;
    view.isMoving = robot.isMoving;
    if (view.isMoving || memory.state !== view.before) view.still_ticks = 0;
    this.forgetUntracked();
    for (let i = 0; i < ROWS.length; i++) {
      const right = ROWS[i]![1][1](view);
      if (right === null) isViolated[i] = 0;
      else if (isViolated[i] === 0) this.report(i, right);
    }
    view.before = memory.state;
    view.loops_before = memory.loop_count;
    this.seen_published = view.published;
    const { activity, lock, ending, awaited, estop } = memory;
    const { seen } = this;
    seen.activity = activity;
    seen.lock = lock;
    seen.ending = ending;
    seen.awaited = awaited;
    seen.estop = estop;
  }

  private report(i: number, right: string): void {
    const [statement, row] = ROWS[i]!;
    const { view, violationCounts } = this;
    this.isViolated[i] = 1;
    violationCounts[statement] = (violationCounts[statement] ?? 0) + 1;
    const violation = { statement, left: row[0](view), right, tick: view.tick };
    if (recorded.length < RECORDED_MAX) recorded.push(violation);
    this.parts.onViolation(violation);
  }
}
