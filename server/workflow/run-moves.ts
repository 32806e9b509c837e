/**
 * Executes the planned moves of a run one at a time with a transporter and publishes labware
 * events. A move can fail before the pick-up, with the piece in the gripper, or after the put-down.
 * Also: their preparation before the plan.
 */

import type { Action, Joints, Toolpath } from '../../contract/types.ts';
import type { Program } from '../../physics/toolpath/program.ts';
import { Slices, type WallClock } from '../clock/clock.ts';
import { toolpathText } from '../documents/document-conversions.ts';
import type { Planner } from '../planning/planner.ts';
import type { LoadedToolpath } from '../robot/commands.ts';
import type { CarriedLabware } from './arm-carry.ts';
import { bufferMoves, possibleMoves } from './deck.ts';
import { matrixTime_s } from './definition.ts';
import {
  type ArmStation,
  type ArmTransportSetup,
  locationKey,
  type WorkflowModel,
} from './model.ts';
import type { PlannedLabwareMove, SlotLocation } from './plan/problem.ts';
import type { MoveProgress, RunProgress } from './progress.ts';
import type { RunLog } from './run-log.ts';
import type { LabwareTransporter, MoveObserver } from './transporter.ts';

export interface RunMovesParts {
  readonly model: WorkflowModel;
  readonly moves: PreparedMoves;
  readonly transporter: LabwareTransporter;
  readonly progress: RunProgress;
  readonly log: RunLog;
  /** Seconds since the start of the run. */
  readonly now_s: () => number;
  readonly onDone: (move: PlannedLabwareMove) => void;
  readonly onFailed: (move: PlannedLabwareMove, failure: MoveFailure) => void;
}

export interface MoveFailure {
  readonly reason: string;
  /** True when the piece is in the gripper. */
  readonly isCarried: boolean;
}

/** The rest of a move that was paused or has failed with its piece in the gripper. */
interface MoveRest {
  /** The move whose piece is in the gripper; null to go on with a paused motion. */
  readonly held: MoveProgress | null;
  /** To put down the held piece; null if the arm does not move. */
  readonly toolpath: LoadedToolpath | null;
}

export class RunMoves {
  /** The move in progress, or aborted with the piece in the gripper. */
  private current: MoveProgress | null = null;
  private paused_s: number | null = null;
  /** What `goOn` does, once prepared. */
  private rest: MoveRest | null = null;
  /** True from the `started` of a movement until its `finished` or `failed`. */
  private isOpen = false;
  private readonly parts: RunMovesParts;

  constructor(parts: RunMovesParts) {
    this.parts = parts;
  }

  get isFree(): boolean {
    return this.current === null && !this.parts.transporter.isBusy;
  }

  /** Takes over the begun move of a piece that is in the gripper at the start of the run. */
  hold(move: MoveProgress): void {
    this.current = move;
    move.picked_s = move.start_s;
    this.paused_s = 0;
  }

  /** Starts a move; returns a message if that is not possible. */
  start(move: PlannedLabwareMove): string | null {
    const { transporter, moves, progress, now_s } = this.parts;
    const toolpath = moves.usesArm ? moves.toolpath(move.from, move.to) : null;
    const time_s = move.end_s - move.start_s;
    const order = { toolpath, time_s, isHolding: false, labware: this.labwareOf(move) };
    this.current = progress.startMove(move, now_s());
    const fault = transporter.start(order, this.observer);
    if (fault === null) return null;
    progress.removeMove(this.current);
    this.current = null;
    return fault;
  }

  private labwareOf({ labware, from, to }: PlannedLabwareMove): CarriedLabware {
    const { model } = this.parts;
    const placeOf = ({ instrument, slot }: SlotLocation) => {
      return { instrument_id: model.instruments[instrument]!.id, slot };
    };
    return { id: model.labware[labware]!.id, ...placeOf(to), from: placeOf(from) };
  }

  private readonly observer: MoveObserver = {
    onPicked: () => {
      this.parts.progress.locations[this.current!.move.labware] = null;
      this.current!.picked_s ??= this.parts.now_s();
      this.publish('started');
    },
    onPlaced: () => {
      const { labware, to } = this.current!.move;
      this.parts.progress.locations[labware] = to;
      this.current!.placed_s = this.parts.now_s();
      this.publish('finished');
    },
    onDone: () => {
      const { move } = this.current!;
      this.current!.end_s = this.parts.now_s();
      this.current = null;
      this.parts.onDone(move);
    },
    onFailed: (reason) => this.fail(reason),
  };

  private publish(state: 'started' | 'finished' | 'failed'): void {
    const { model, log } = this.parts;
    const { labware, from, to } = this.current!.move;
    this.isOpen = state === 'started';
    log.labware({
      labware_id: model.labware[labware]!.id,
      state,
      source_instrument_id: model.instruments[from.instrument]!.id,
      destination_instrument_id: model.instruments[to.instrument]!.id,
      source_slot: from.slot,
      destination_slot: to.slot,
    });
  }

  private fail(reason: string): void {
    const failed = this.current!;
    const { progress, onFailed, now_s } = this.parts;
    const { labware, to } = failed.move;
    const location = progress.locations[labware];
    if (location === null) {
      this.paused_s = now_s();
      this.publish('failed');
    } else {
      this.current = null;
      const isPlaced = location?.instrument === to.instrument && location.slot === to.slot;
      if (isPlaced) failed.end_s = now_s();
      else progress.removeMove(failed);
    }
    onFailed(failed.move, { reason, isCarried: location === null });
  }

  /** Aborts the move in progress, if any. */
  abort(reason: string): void {
    const { transporter } = this.parts;
    if (!transporter.isBusy) return;
    transporter.cancel();
    this.fail(reason);
  }

  /** Publishes the failure of a movement that has begun: the run ends. */
  close(): void {
    if (this.isOpen) this.publish('failed');
  }

  /** Pauses the move in progress. */
  pause(): void {
    if (this.parts.transporter.isBusy) this.paused_s = this.parts.now_s();
    this.parts.transporter.pause();
  }

  /**
   * Plans how the paused move goes on, or how the piece in the gripper is put down; nothing moves
   * until `goOn`. Returns a message if that is not possible.
   */
  async prepareResume(): Promise<string | null> {
    const { transporter, moves } = this.parts;
    const held = transporter.isBusy ? null : this.current;
    const toolpath = held && moves.usesArm ? await moves.putDownToolpath(held.move.to) : null;
    const fault = await transporter.prepareResume({ isHolding: held !== null });
    this.rest = fault === null ? { held, toolpath } : null;
    return fault;
  }

  /** Adds the time since the pause to the expected duration of the move that goes on. */
  countPause(): void {
    const { rest, current, paused_s, parts } = this;
    const now_s = parts.now_s();
    if (rest?.held) rest.held.delay_s = now_s - rest.held.start_s;
    else if (current && paused_s !== null) current.delay_s += now_s - paused_s;
    if (paused_s !== null) this.paused_s = now_s;
  }

  /** Goes on with the move as prepared, if one is; returns a message if that is not possible. */
  goOn(): string | null {
    const { rest } = this;
    if (rest === null) return null;
    this.countPause();
    this.rest = null;
    const fault = rest.held ? this.putDown(rest.held, rest) : this.parts.transporter.resume();
    if (fault === null) this.paused_s = null;
    return fault;
  }

  private putDown({ move }: MoveProgress, { toolpath }: MoveRest): string | null {
    const time_s = move.end_s - move.start_s;
    const order = { toolpath, time_s, isHolding: true, labware: this.labwareOf(move) };
    const fault = this.parts.transporter.start(order, this.observer);
    if (fault === null && !this.isOpen) this.publish('started');
    return fault;
  }
}

/**
 * Prepares every labware move of a workflow: its duration and, for moves by the arm, its built
 * program. Moves are prepared before planning, because the plan needs the durations and a run must
 * not wait for the planning threads.
 */

const FORMAT = 2;
const HOME = 0;

function toolpathOf(
  { config }: ArmTransportSetup,
  poses: readonly (readonly number[])[],
  timeline: readonly Action[],
): Toolpath {
  const modes = { i0: 'voltage', i1: 'voltage', o0: 'voltage', o1: 'voltage' } as const;
  return {
    metadata: {
      version: FORMAT,
      default_max_speed: config.default_max_speed,
      next_label_id: poses.length + 1,
      payload: 0,
      analog_modes: modes,
    },
    waypoints: poses.map((joints, i) => ({ label_id: i + 1, joints: [...joints] as Joints })),
    timeline: [...timeline],
  };
}

function joint(waypoint_id: number): Action {
  return { type: 'trajectory', trajectory: 'joint_space', waypoint_id };
}

function linear(waypoint_id: number): Action {
  return { type: 'trajectory', trajectory: 'linear', waypoint_id };
}

/** Visits a station: approach, grip, gripper output, approach; waypoints `at` and `at + 1`. */
function visit({ config }: ArmTransportSetup, at: number, closed: boolean): Action[] {
  const { location, type, index, settle_s } = config.gripper;
  const io = { location, type, index } as Extract<Action, { type: 'output-set' }>['io'];
  const wait: Action = { type: 'wait', condition: { type: 'time', duration: settle_s } };
  const set = { type: 'output-set', io, value: closed } as Action;
  return [joint(at), linear(at + 1), set, wait, linear(at)];
}

function stationPoses({ approach, grip }: ArmStation): (readonly number[])[] {
  return [approach, grip];
}

/** Toolpath of a move: home, pick up, put down, home. Null if a location has no station. */
export function moveToolpath(
  arm: ArmTransportSetup,
  from: SlotLocation,
  to: SlotLocation,
): Toolpath | null {
  const source = arm.stations.get(locationKey(from));
  const target = arm.stations.get(locationKey(to));
  if (!source || !target) return null;
  const { closed } = arm.config.gripper;
  const poses = [arm.config.home, ...stationPoses(source), ...stationPoses(target)];
  return toolpathOf(arm, poses, [
    { type: 'home', waypoint_id: HOME },
    ...visit(arm, 1, closed),
    ...visit(arm, 3, !closed),
    joint(HOME),
  ]);
}

/** Toolpath to put down labware that is in the gripper: home, put down, home. */
export function putDownToolpathFor(arm: ArmTransportSetup, to: SlotLocation): Toolpath | null {
  const target = arm.stations.get(locationKey(to));
  if (!target) return null;
  return toolpathOf(
    arm,
    [arm.config.home, ...stationPoses(target)],
    [
      { type: 'home', waypoint_id: HOME },
      ...visit(arm, 1, !arm.config.gripper.closed),
      joint(HOME),
    ],
  );
}

/** The times of a program of moves, outputs and timed waits in automatic mode (s). */
interface CarryTimes {
  readonly total_s: number;
  /** When it sets each output. */
  readonly outputs_s: readonly number[];
}

/** Returns the times of a program that starts at its home waypoint. */
function carryTimes({ steps, first }: Program): CarryTimes {
  let total_s = 0;
  const outputs_s: number[] = [];
  for (let at = first, left = steps.length; at >= 0 && left > 0; left--) {
    const step = steps[at]!;
    if (step.kind === 'move') total_s += step.move.automatic.duration_s;
    if (step.kind === 'wait' && step.condition.type === 'time') total_s += step.condition.duration;
    if (step.kind === 'output') outputs_s.push(total_s);
    at = 'next' in step ? step.next : -1;
  }
  return { total_s, outputs_s };
}

interface PreparedMove {
  readonly toolpath: LoadedToolpath;
  readonly times: CarryTimes;
}

type PlannedMoveTimes = Pick<PlannedLabwareMove, 'from' | 'to' | 'start_s' | 'end_s'>;
type PieceTimes = Pick<PlannedLabwareMove, 'start_s' | 'end_s'>;

function milliseconds(time_s: number): number {
  return Math.round(time_s * 1000) / 1000;
}

function moveKey(from: SlotLocation, to: SlotLocation): string {
  return `${from.instrument}/${from.slot} ${to.instrument}/${to.slot}`;
}

export class PreparedMoves {
  /** True if the arm moves the labware. */
  readonly usesArm: boolean;
  /** Moves that the arm cannot make, as messages. */
  readonly problems: string[] = [];
  private readonly prepared = new Map<string, PreparedMove>();
  private readonly model: WorkflowModel;
  private readonly planner: Planner;

  private constructor(model: WorkflowModel, planner: Planner, byArm: boolean) {
    this.model = model;
    this.planner = planner;
    this.usesArm = byArm;
  }

  /** Builds every move that a plan may contain; `simulated` moves only take time. */
  static async prepare(
    model: WorkflowModel,
    { planner, wall }: { readonly planner: Planner; readonly wall: WallClock },
    simulated = false,
  ): Promise<PreparedMoves> {
    const moves = new PreparedMoves(model, planner, model.arm !== null && !simulated);
    if (model.arm === null) return moves;
    const slices = new Slices(wall);
    await slices.next();
    for (const { from, to } of [...possibleMoves(model), ...bufferMoves(model)]) {
      await slices.next();
      await moves.build(from, to);
    }
    return moves;
  }

  /**
   * Builds the moves from where the pieces are to where their next tasks need them. A task that is
   * completed by hand or skipped leaves its piece where no move of the first plan begins.
   */
  async prepareNext(progress: RunProgress): Promise<void> {
    const { arm, tasks } = this.model;
    if (arm === null) return;
    for (const [labware, from] of progress.locations.entries()) {
      const task = tasks[progress.nextTaskOf(labware) ?? -1];
      const use = task?.uses.find((one) => one.labware === labware);
      if (from === null || !use) continue;
      for (const instrument of task!.candidates) {
        const to = { instrument, slot: use.slot };
        if (locationKey(from) !== locationKey(to)) await this.build(from, to);
      }
    }
  }

  private async build(from: SlotLocation, to: SlotLocation): Promise<void> {
    const key = moveKey(from, to);
    const move = moveToolpath(this.model.arm!, from, to);
    if (this.prepared.has(key) || !move) return;
    const name = `${this.name(from)} to ${this.name(to)}`;
    const plan = await this.planner.load({ name, toolpath: toolpathText(move) });
    if (plan.kind !== 'built') {
      this.problems.push(
        `the arm cannot go from ${this.name(from)} to ${this.name(to)}: ${plan.error}`,
      );
      return;
    }
    const { loaded } = plan;
    this.prepared.set(key, { toolpath: loaded, times: carryTimes(loaded.program) });
  }

  private name({ instrument, slot }: SlotLocation): string {
    return `${this.model.instruments[instrument]!.id} slot ${slot}`;
  }

  /** Duration of a move (whole seconds), or null if the arm cannot make it. */
  readonly time_s = (from: SlotLocation, to: SlotLocation): number | null => {
    if (this.model.arm === null) return matrixTime_s(this.model, from, to);
    const times = this.prepared.get(moveKey(from, to))?.times;
    return times ? Math.ceil(times.total_s) : null;
  };

  /**
   * When the gripper closes on the piece of a planned move and when it opens: the planned time of
   * the piece (s). The whole time of the move where no arm moves it.
   */
  pieceTimes({ from, to, start_s, end_s }: PlannedMoveTimes): PieceTimes {
    const prepared = this.usesArm ? this.prepared.get(moveKey(from, to)) : undefined;
    const [close_s, open_s] = prepared?.times.outputs_s ?? [];
    if (close_s === undefined || open_s === undefined) return { start_s, end_s };
    return { start_s: milliseconds(start_s + close_s), end_s: milliseconds(start_s + open_s) };
  }

  /** Returns the toolpath of a move by the arm. */
  toolpath(from: SlotLocation, to: SlotLocation): LoadedToolpath {
    return this.prepared.get(moveKey(from, to))!.toolpath;
  }

  /** Duration of putting down the held labware (whole seconds), or null if the arm cannot. */
  async putDownTime_s(to: SlotLocation): Promise<number | null> {
    if (!this.usesArm) return matrixTime_s(this.model, to, to);
    const toolpath = await this.putDownToolpath(to);
    return toolpath && Math.ceil(carryTimes(toolpath.program).total_s);
  }

  /** Builds the toolpath that puts down the held labware; null if the arm cannot. */
  async putDownToolpath(to: SlotLocation): Promise<LoadedToolpath | null> {
    const move = this.model.arm && putDownToolpathFor(this.model.arm, to);
    if (!move) return null;
    const name = `put down in ${this.name(to)}`;
    const plan = await this.planner.load({ name, toolpath: toolpathText(move) });
    return plan.kind === 'built' ? plan.loaded : null;
  }
}
