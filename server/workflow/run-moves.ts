/**
 * Executes the planned moves of a run one at a time with a transporter and publishes labware
 * events. A move can fail before the pick-up, with the piece in the gripper, or after the put-down.
 */
import type { CarriedLabware } from './cell-labware.ts';
import type { WorkflowModel } from './model.ts';
import type { PlannedLabwareMove } from './plan/problem.ts';
import type { PreparedMoves } from './prepared-moves.ts';
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

export class RunMoves {
  /** The move in progress, or aborted with the piece in the gripper. */
  private current: MoveProgress | null = null;
  private paused_s: number | null = null;
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

  private labwareOf({ labware, to }: PlannedLabwareMove): CarriedLabware {
    const { model } = this.parts;
    const instrument_id = model.instruments[to.instrument]!.id;
    return { id: model.labware[labware]!.id, instrument_id, slot: to.slot };
  }

  private readonly observer: MoveObserver = {
    onPicked: () => {
      this.parts.progress.locations[this.current!.move.labware] = null;
      this.publish('started');
    },
    onPlaced: () => {
      const { labware, to } = this.current!.move;
      this.parts.progress.locations[labware] = to;
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

  /** Publishes the second start of a movement that had failed with the piece in the gripper. */
  publishResumed(): void {
    if (this.current && !this.isOpen && this.isHeld) this.publish('started');
  }

  /** True while the piece of the current move is in the gripper. */
  private get isHeld(): boolean {
    return (
      this.current !== null && this.parts.progress.locations[this.current.move.labware] === null
    );
  }

  /** Pauses the move in progress. */
  pause(): void {
    if (this.parts.transporter.isBusy) this.paused_s = this.parts.now_s();
    this.parts.transporter.pause();
  }

  /**
   * Resumes a paused move, or puts down the piece in the gripper. `veto` is called after the
   * motion is planned and returns why it is no longer wanted. Returns a message if not possible.
   */
  async resume(veto: () => string | null): Promise<string | null> {
    const { transporter, moves, now_s } = this.parts;
    const held = transporter.isBusy ? null : this.current;
    const toolpath = held && moves.usesArm ? await moves.putDownToolpath(held.move.to) : null;
    const fault = (await transporter.resume()) ?? veto();
    if (fault) return fault;
    if (held) {
      const time_s = held.move.end_s - held.move.start_s;
      held.delay_s = now_s() - held.start_s;
      const order = { toolpath, time_s, isHolding: true, labware: this.labwareOf(held.move) };
      const refused = transporter.start(order, this.observer);
      if (refused) return refused;
    } else if (this.current && this.paused_s !== null) {
      this.current.delay_s += now_s() - this.paused_s;
    }
    this.paused_s = null;
    return null;
  }
}
