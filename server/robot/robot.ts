/**
 * The robot: two verbs change it, `apply` and `tick`, both synchronous and free of clocks,
 * sockets and files (rule 1 of the house). Everything else reads snapshots. It knows the joints
 * only through feedback and setpoints, so that it cannot tell a simulated arm from a real one.
 */

import { type Feedback, SETPOINT_SAMPLES, type Setpoint } from '../../bridge/arm-driver.ts';
import { limits } from '../../contract/limits.ts';
import { isAllowed, type RobotCommand, wrongStateDetails } from '../../contract/robot-states.ts';
import { JOINT_MAX_RAD, JOINT_MIN_RAD } from '../../physics/arm/arm-model.ts';
import type { Caller, Command } from './commands.ts';
import * as control from './control-commands.ts';
import { RobotCore, type RobotOptions } from './core.ts';
import type { RobotEvent } from './events.ts';
import { editGlobals } from './global-edit.ts';
import { type RobotImage, restoreImage, takeImage } from './image.ts';
import { holds, releaseLock, renewLock, takeLock } from './lock.ts';
import type { Halt } from './mover.ts';
import { type Refusal, refuse } from './refusal.ts';
import { progress } from './runner.ts';
import { setSchedule } from './schedule.ts';
import {
  DISCRETE_SECTIONS,
  type Snapshot,
  SnapshotDifference,
  type SnapshotSource,
  TELEMETRY_SECTIONS,
  takeSnapshot,
} from './snapshot.ts';
import {
  loseLock,
  nextDeadline_tick,
  raiseError,
  watchJoints,
  watchLock,
  watchSchedule,
} from './watch.ts';
import * as world from './world-commands.ts';

/** A setpoint may leave the software limits by this much: rounding, and a start on the limit. */
const LIMIT_TOLERANCE_RAD = 1e-3;

type Effects = {
  readonly [Kind in Command['kind']]: (
    core: RobotCore,
    command: Extract<Command, { kind: Kind }>,
  ) => Refusal | null;
};

const effects: Effects = {
  lock: (core, { caller }) => takeLock(core.memory, caller, core.tick),
  renew_lock: (core, { caller }) => renewLock(core.memory, caller, core.tick),
  release_lock: (core, { caller }) => releaseLock(core.memory, caller),
  forget_token: (core, { token_id }) => {
    if (core.memory.lock?.holder.token_id === token_id) loseLock(core);
    return null;
  },
  load: control.load,
  run: control.run,
  home: control.home,
  go_to: control.goTo,
  pause: control.pause,
  resume: control.resume,
  cancel: control.cancel,
  stop_loop: control.stopLoop,
  reset_errors: control.resetErrors,
  acknowledge_collision: control.acknowledgeCollision,
  collision_detection: control.collisionDetection,
  globals: (core, { changes }) => editGlobals(core.memory.io, changes),
  scheduler: (core, command) =>
    setSchedule(core.memory.schedule, command, {
      now_ms: core.date_ms,
      timezone: core.options.timezone,
    }),
  estop: world.estop,
  inputs: world.inputs,
  loopback: world.loopback,
  stick_inputs: world.stickInputs,
  backdriving: world.backdriving,
  waypoint_button: world.waypointButton,
  begin_update: world.beginUpdate,
  finish_update: world.finishUpdate,
  power_cycle: world.powerCycle,
  stand_at: world.standAt,
  shut_down: world.shutDown,
};

/** Command kinds under whose name the state table stands. */
const tableNames: Partial<Record<Command['kind'], RobotCommand>> = {
  load: 'use',
  run: 'run',
  home: 'home',
  go_to: 'go_to',
  pause: 'pause',
  resume: 'resume',
  cancel: 'cancel',
  stop_loop: 'stop_loop',
  reset_errors: 'reset_errors',
  acknowledge_collision: 'acknowledge_collision',
  globals: 'globals',
  scheduler: 'scheduler',
  collision_detection: 'collision_detection',
  begin_update: 'update',
};

const lockCommands = new Set<Command['kind']>(['lock', 'renew_lock', 'release_lock']);

export class Robot {
  /** Counts on with everything that may change the snapshot. */
  version = 0;
  private readonly core: RobotCore;
  private difference: SnapshotDifference | null = null;
  private readonly samples = new Float64Array(6 * SETPOINT_SAMPLES);
  /** One for all ticks: a tick leaves nothing on the heap. */
  private readonly setpoint: { -readonly [Key in keyof Setpoint]: Setpoint[Key] } = {
    mode: 'hold',
    samples: this.samples,
    payload_kg: 0,
    detection: null,
  };

  constructor(options: RobotOptions) {
    this.core = new RobotCore(options);
  }

  /**
   * Does one command, before the tick `tick`. Answers why not, or null when it is done. What
   * changed is told by the next `takeEvents`.
   */
  apply(command: Command, tick: number): Refusal | null {
    this.core.tick = tick;
    this.version += 1;
    const refusal = this.refusalOf(command);
    if (refusal) return refusal;
    const before = this.core.memory.lock;
    const effect = effects[command.kind] as (core: RobotCore, command: Command) => Refusal | null;
    const result = effect(this.core, command);
    if (lockCommands.has(command.kind) && before !== this.core.memory.lock) {
      this.core.events.push({ kind: 'lock_status', holder: this.lockHolder });
    }
    return result;
  }

  /** What stands against a command: the lock, then the state (decision D6). */
  refusalOf(command: Pick<Command, 'kind'> & { readonly caller?: Caller }): Refusal | null {
    const { memory } = this.core;
    const name = tableNames[command.kind];
    if (!name) return null;
    if (command.caller && !holds(memory, command.caller)) return refuse('lock_not_held');
    if (isAllowed(name, memory.state)) return null;
    return refuse('wrong_state', wrongStateDetails(name, memory.state));
  }

  /** Advances by one tick: what came back from the joints in, what they shall do next out. */
  tick(feedback: Feedback, tick: number): Setpoint {
    const { core } = this;
    core.feedback = feedback;
    core.tick = tick;
    this.version += 1;
    world.watchStop(core);
    watchJoints(core);
    watchLock(core);
    watchSchedule(core);
    if (!core.mover.moving) progress(core);
    return this.nextSetpoint();
  }

  /**
   * Time was skipped while nothing moved, right after a tick: the robot now stands before the tick
   * `tick`.
   */
  skipTo(feedback: Feedback, tick: number): void {
    this.core.feedback = feedback;
    this.core.tick = tick;
  }

  private nextSetpoint(): Setpoint {
    const { core, samples } = this;
    const { memory, mover } = core;
    const moving = mover.moving;
    if (moving) {
      mover.advance(samples);
      if (!this.insideLimits()) raiseError(core, 'A setpoint lies outside the joint limits');
    }
    const limp = memory.state === 'backdriving';
    const { setpoint } = this;
    setpoint.mode = limp ? 'limp' : moving && !core.feedback.fault ? 'follow' : 'hold';
    setpoint.payload_kg = memory.activity?.payload_kg ?? memory.loaded?.program.payload_kg ?? 0;
    setpoint.detection = memory.detection.enabled ? memory.detection.sensitivity : null;
    return setpoint;
  }

  private insideLimits(): boolean {
    for (let i = 6; i < this.samples.length; i++) {
      const angle = this.samples[i]!;
      const joint = i % 6;
      if (angle < JOINT_MIN_RAD[joint]! - LIMIT_TOLERANCE_RAD) return false;
      if (angle > JOINT_MAX_RAD[joint]! + LIMIT_TOLERANCE_RAD) return false;
    }
    return true;
  }

  /** Events since the last call; state changes only while somebody listens. */
  takeEvents(): RobotEvent[] {
    const { core } = this;
    if (this.difference) {
      const due = core.tick % limits.stream_telemetry_ticks === 0;
      const names = due ? [...DISCRETE_SECTIONS, ...TELEMETRY_SECTIONS] : DISCRETE_SECTIONS;
      const changes = this.difference.take(this.source, names);
      if (changes) core.events.push({ kind: 'state_change', changes });
    }
    const { events } = core;
    if (events.length > 0) core.events = [];
    return events;
  }

  /** Starts or ends the search for differences: nobody pays for what nobody reads. */
  listen(somebody: boolean): void {
    if (!somebody) this.difference = null;
    else this.difference ??= this.observe();
  }

  /** A fresh observer of what changes from now on. */
  observe(): SnapshotDifference {
    return new SnapshotDifference(this.source);
  }

  get source(): SnapshotSource {
    const { memory, feedback, tick, options } = this.core;
    return { memory, feedback, tick, seed: options.seed };
  }

  snapshot(): Snapshot {
    return takeSnapshot(this.source);
  }

  /** Who holds the lock, or null. */
  get lockHolder(): Caller | null {
    return this.core.memory.lock?.holder ?? null;
  }

  holdsLock(caller: Caller): boolean {
    return holds(this.core.memory, caller);
  }

  /** Where the next motion starts (rad). */
  get restPose(): Float64Array {
    return this.core.mover.restPose;
  }

  /** The halted path that a resume has to be planned for; null for none. */
  get halt(): Halt | null {
    return this.core.mover.stopPending ? null : this.core.mover.halt;
  }

  /** True while a motion is played or coming to rest. */
  get isMoving(): boolean {
    return this.core.mover.moving;
  }

  /** True when time may jump: nothing moves, nothing happens before the next deadline. */
  get idle(): boolean {
    const { memory, mover, feedback } = this.core;
    const busy = memory.activity !== null && memory.state !== 'paused' && !this.waiting;
    return !mover.moving && feedback.at_rest && !busy && memory.state !== 'backdriving';
  }

  private get waiting(): boolean {
    const { activity, loaded } = this.core.memory;
    return activity?.kind === 'run' && loaded?.program.steps[activity.cursor.step]?.kind === 'wait';
  }

  /** Tick of the next thing that happens by itself. */
  get nextDeadline_tick(): number {
    return nextDeadline_tick(this.core);
  }

  /** All that the robot remembers before the tick `tick`, as a value of its own. */
  save(tick: number): RobotImage {
    return takeImage(this.core, tick);
  }

  /** Takes back what `save` gave, here or in another process, as of the tick `tick`. */
  restore(image: RobotImage, tick: number): void {
    this.version += 1;
    restoreImage(this.core, image, tick);
  }

  /** Read-only view for the twin's own figures and reports. */
  get memory(): Readonly<RobotCore['memory']> {
    return this.core.memory;
  }
}
