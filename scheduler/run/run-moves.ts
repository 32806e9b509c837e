/**
 * Executes the planned moves of a run one at a time with a transporter and publishes labware
 * events. A move can fail before the pick-up, with the piece in the gripper, or after the
 * put-down.
 */

import type { LoadedToolpath } from '../../server/robot/loaded-toolpath.ts';
import type { WorkflowModel } from '../definition/workflow-model.ts';
import type { PlannedLabwareMove } from '../plan/problem.ts';
import type { SlotLocation } from '../plan/slot-location.ts';
import type { CarriedLabware } from '../workcell/carry-watch.ts';
import type { LabwareTransporter, MoveObserver } from '../workcell/labware-transporter.ts';
import type { PreparedMoves } from './prepared-moves.ts';
import type { MoveProgress, RunProgress } from './progress.ts';
import type { RunLog } from './run-log.ts';

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
    log.publish('LabwareMovementHook', {
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

  /** Whether a piece is on its way, or will go on with a paused move. */
  isMoving(labware: number): boolean {
    return this.parts.transporter.isBusy && this.current?.move.labware === labware;
  }

  /** A person has taken the piece of a failed move, and put it somewhere. */
  release(labware: number): void {
    if (this.current?.move.labware !== labware || this.parts.transporter.isBusy) return;
    this.parts.progress.removeMove(this.current);
    this.current = null;
    this.rest = null;
    this.paused_s = null;
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
