/**
 * Monitors the statements of invariant-statements.ts after every tick and every command. A
 * violation is a bug of the twin: it is logged, counted in /metrics and published on
 * /sim/v1/stream, and it fails the test that causes it.
 */

import { type Feedback, TICK_S } from '../../bridge/arm-driver.ts';
import { VELOCITY_MAX_RAD_S } from '../../physics/arm/arm-model.ts';
import type { JointPath } from '../../physics/motion/joint-path.ts';
import { FlangeObserver } from './flange-observer.ts';
import {
  type EventDelivery,
  fastestJoint_rad_s,
  isStationary,
  MOVING_RAD_S,
  PATH_TOLERANCE_RAD,
  SPEED_SLACK,
  STATEMENTS,
  type StatementRow,
  type View,
} from './invariant-statements.ts';
import type { InvariantViolation } from './invariant-violations.ts';
import type { LoopEvent } from './loop-event.ts';
import type { LoopListener } from './loop-listener.ts';
import type { RobotMemory } from './memory.ts';
import { PathObserver } from './path-observer.ts';
import {
  DISCRETE_SECTIONS,
  type SnapshotSections,
  TELEMETRY_SECTIONS,
} from './snapshot-message.ts';
import { StreamObserver } from './stream-observer.ts';

/** The robot as the monitor reads it. */
export interface MonitoredRobot {
  readonly memory: Readonly<RobotMemory>;
  readonly isMoving: boolean;
  /** Identity of the present change tracking; null while changes are not tracked. */
  readonly changeTracker: object | null;
  /** Reference of the joints at the end of the last tick (rad). */
  readonly reference: Float64Array;
  /** The path of the motion that is played; null at rest and in an emergency stop. */
  readonly plannedPath: JointPath | null;
  /** Whether what is published now has telemetry. */
  readonly isTelemetryDue: boolean;
  snapshot(): SnapshotSections;
}

/** Ticks between two samples of the flange's speed and of the path: 100 ms. */
const MOTION_SAMPLE_TICKS = 25;
/** Ticks between two comparisons of the stream with the snapshot: 1 s. */
const STREAM_SAMPLE_TICKS = 250;
/** The sections of a comparison; telemetry is published at some ticks only. */
const ALL_SECTIONS = [...DISCRETE_SECTIONS, ...TELEMETRY_SECTIONS];
/** Largest step of a reference in a tick (rad). */
const STEP_MAX_RAD = VELOCITY_MAX_RAD_S.map((rate) => SPEED_SLACK * TICK_S * rate);

type Statement = keyof typeof STATEMENTS;

const ROWS = Object.entries(STATEMENTS) as readonly (readonly [Statement, StatementRow])[];
const DELIVERIES = ROWS.findIndex(([name]) => name === 'an event reaches its audience alone');

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
  private readonly flange = new FlangeObserver();
  private readonly setpoint = new FlangeObserver();
  private readonly path = new PathObserver();
  private readonly stream = new StreamObserver();
  private playedPath: JointPath | null = null;
  private nextComparison_tick = 0;
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
      stood: [parts.feedback.standing, parts.feedback.standing],
      still_ticks: 0,
      drift_ticks: 0,
      before: memory.state,
      loops_before: memory.loop_count,
      isDisturbed: false,
      flange_m_s: 0,
      flangeSetpoint_m_s: 0,
      fastJoint: -1,
      offPath_rad: 0,
      published: null,
      streamProblem: null,
      delivery: null,
    };
    this.reference.set(parts.robot.reference);
  }

  /** Violations by statement; empty while every statement has held. */
  get counts(): Readonly<Partial<Record<Statement, number>>> {
    return this.violationCounts;
  }

  onEvents(events: readonly LoopEvent[]): void {
    this.forgetUntracked();
    for (const event of events) {
      if (event.kind !== 'state_change') continue;
      this.stream.add(event.changes);
      const control = event.changes['control'] as { readonly state?: unknown } | undefined;
      if (control?.state !== undefined) this.view.published = control.state;
    }
  }

  /** The changes of a command are published after this call: the next tick compares them. */
  onCommand(): void {
    const { view } = this;
    const { published } = view;
    view.published = null;
    this.reference.set(this.parts.robot.reference);
    this.evaluate();
    view.published = published;
  }

  /** Evaluates the statement about audiences, for a published event or for one of its receivers. */
  onDelivery(delivery: EventDelivery): void {
    const { view, isViolated } = this;
    view.delivery = delivery;
    isViolated[DELIVERIES] = 0;
    this.judge(DELIVERIES);
    view.delivery = null;
  }

  onTick(feedback: Feedback, tick: number): void {
    const { view } = this;
    view.feedback = feedback;
    view.stood[0] = view.stood[1];
    view.stood[1] = feedback.standing;
    view.tick = tick;
    view.still_ticks = this.parts.robot.isMoving ? 0 : view.still_ticks + 1;
    const isDrifting = isStationary(view.before) && fastestJoint_rad_s(feedback) > MOVING_RAD_S;
    view.drift_ticks = isDrifting ? view.drift_ticks + 1 : 0;
    this.measureReference();
    const phase = tick % MOTION_SAMPLE_TICKS;
    const isSampled = phase <= 1;
    if (isSampled) this.measureFlange(feedback);
    this.measurePath(phase === 0);
    if (tick >= this.nextComparison_tick) this.compareStream();
    if (
      isSampled ||
      view.offPath_rad > 0 ||
      !this.wasMoving ||
      view.fastJoint >= 0 ||
      this.hasChanged()
    )
      this.evaluate();
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

  onRestore(tick: number, feedback: Feedback): void {
    const { view, parts } = this;
    const { memory } = parts.robot;
    const stood = [feedback.standing, feedback.standing];
    Object.assign(view, { feedback, stood, still_ticks: 0, drift_ticks: 0 });
    Object.assign(view, { tick, memory, before: memory.state, loops_before: memory.loop_count });
    Object.assign(view, { isDisturbed: true, fastJoint: -1, published: null });
    Object.assign(view, { flange_m_s: 0, flangeSetpoint_m_s: 0 });
    this.flange.restart();
    this.setpoint.restart();
    this.reference.set(parts.robot.reference);
    this.nextComparison_tick = 0;
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
    // At rest the reference follows an arm that was moved.
    if (!this.wasMoving && !robot.isMoving) view.fastJoint = -1;
    this.wasMoving = robot.isMoving;
  }

  /** Measures at samples and where a motion begins. */
  private measurePath(isSampled: boolean): void {
    const { view, parts } = this;
    const { plannedPath } = parts.robot;
    const isNew = plannedPath !== this.playedPath;
    this.playedPath = plannedPath;
    view.offPath_rad = 0;
    if (plannedPath === null || !(isSampled || isNew)) return;
    const apart = this.path.distance_rad(plannedPath, parts.robot.reference, PATH_TOLERANCE_RAD);
    if (apart > PATH_TOLERANCE_RAD) view.offPath_rad = apart;
  }

  private compareStream(): void {
    this.nextComparison_tick = this.view.tick + STREAM_SAMPLE_TICKS;
    this.forgetUntracked();
    if (this.changeTracker === null) return;
    const { robot } = this.parts;
    const names = robot.isTelemetryDue ? ALL_SECTIONS : DISCRETE_SECTIONS;
    this.view.streamProblem = this.stream.difference(robot.snapshot(), names);
    if (this.view.streamProblem !== null) this.evaluate();
    this.view.streamProblem = null;
  }

  /**
   * Measures the speed of the flange and of its setpoint between two ticks, both in motion. Servos
   * are read when the bus answers: after a stall of this machine, several ticks of motion lie
   * between two readings. Their speed is that of one reading.
   */
  private measureFlange(feedback: Feedback): void {
    const { view, wasMoving, parts } = this;
    view.flange_m_s = wasMoving ? this.flangeSpeed_m_s(feedback) : 0;
    const { reference } = parts.robot;
    view.flangeSetpoint_m_s = wasMoving ? this.setpoint.speed_m_s(reference, view.tick) : 0;
  }

  private flangeSpeed_m_s(feedback: Feedback): number {
    if (feedback.age_s > 0) return this.flange.speedAt_m_s(feedback);
    return this.flange.speed_m_s(feedback.position_rad, this.view.tick);
  }

  /** Changes between two trackings are not published: the state of the first one is no claim. */
  private forgetUntracked(): void {
    const { changeTracker } = this.parts.robot;
    if (changeTracker !== null && changeTracker === this.changeTracker) return;
    this.changeTracker = changeTracker;
    this.view.published = null;
    this.stream.start(changeTracker === null ? null : this.parts.robot.snapshot());
  }

  private evaluate(): void {
    const { view } = this;
    const { robot } = this.parts;
    const { memory } = robot;
    view.memory = memory;
    view.isMoving = robot.isMoving;
    if (view.isMoving || memory.state !== view.before) view.still_ticks = 0;
    this.forgetUntracked();
    for (let i = 0; i < ROWS.length; i++) this.judge(i);
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

  private judge(i: number): void {
    const right = ROWS[i]![1][1](this.view);
    if (right === null) this.isViolated[i] = 0;
    else if (this.isViolated[i] === 0) this.report(i, right);
  }

  private report(i: number, right: string): void {
    const [statement, row] = ROWS[i]!;
    const { view, violationCounts } = this;
    this.isViolated[i] = 1;
    violationCounts[statement] = (violationCounts[statement] ?? 0) + 1;
    const violation = { statement, left: row[0](view), right, tick: view.tick };
    this.parts.onViolation(violation);
  }
}
