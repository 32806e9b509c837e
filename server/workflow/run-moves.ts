/**
 * The moves of a run: one piece at a time, from the plan to the transport, and what is told of it.
 * Apart from the run because a move can end in many ways: done, before the pick-up, with the piece
 * in the gripper, or after it was put down.
 */
import type { WorkflowModel } from './model.ts';
import type { Moves } from './moves.ts';
import type { PlannedMove } from './plan/problem.ts';
import type { MoveProgress, Progress } from './progress.ts';
import type { RunLog } from './run-log.ts';
import type { MoveObserver, Transport } from './transport.ts';

export interface RunMovesParts {
  readonly model: WorkflowModel;
  readonly moves: Moves;
  readonly transport: Transport;
  readonly progress: Progress;
  readonly log: RunLog;
  /** Seconds since the run's beginning. */
  readonly now_s: () => number;
  readonly onDone: (move: PlannedMove) => void;
  readonly onFailed: (move: PlannedMove, failure: MoveFailure) => void;
}

export interface MoveFailure {
  readonly reason: string;
  /** True when the piece is in the gripper. */
  readonly isCarried: boolean;
}

export class RunMoves {
  /** The move under way, or given up with the piece in the gripper. */
  private moving: MoveProgress | null = null;
  private halted_s: number | null = null;
  private readonly parts: RunMovesParts;

  constructor(parts: RunMovesParts) {
    this.parts = parts;
  }

  get isFree(): boolean {
    return this.moving === null && !this.parts.transport.busy;
  }

  /** Begins a move; a sentence when that is not possible. */
  begin(move: PlannedMove): string | null {
    const { transport, moves, progress, now_s } = this.parts;
    const toolpath = moves.byArm ? moves.toolpath(move.from, move.to) : null;
    const order = { toolpath, time_s: move.end_s - move.start_s, holding: false };
    this.moving = progress.beginMove(move, now_s());
    const fault = transport.begin(order, this.observer);
    if (fault === null) return null;
    progress.forgetMove(this.moving);
    this.moving = null;
    return fault;
  }

  private readonly observer: MoveObserver = {
    onPicked: () => {
      this.parts.progress.places[this.moving!.move.labware] = null;
      this.tell('started');
    },
    onPlaced: () => {
      const { labware, to } = this.moving!.move;
      this.parts.progress.places[labware] = to;
      this.tell('finished');
    },
    onDone: () => {
      const { move } = this.moving!;
      this.moving!.end_s = this.parts.now_s();
      this.moving = null;
      this.parts.onDone(move);
    },
    onFailed: (reason) => this.fail(reason),
  };

  private tell(state: 'started' | 'finished' | 'failed'): void {
    const { model, log } = this.parts;
    const { labware, from, to } = this.moving!.move;
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
    const failed = this.moving!;
    const { progress, onFailed, now_s } = this.parts;
    const { labware, to } = failed.move;
    const place = progress.places[labware];
    if (place === null) {
      this.halted_s = now_s();
      this.tell('failed');
    } else {
      this.moving = null;
      const isPlaced = place?.instrument === to.instrument && place.slot === to.slot;
      if (isPlaced) failed.end_s = now_s();
      else progress.forgetMove(failed);
    }
    onFailed(failed.move, { reason, isCarried: place === null });
  }

  /** Gives up the move under way, if there is one. */
  breakOff(reason: string): void {
    const { transport } = this.parts;
    if (!transport.busy) return;
    transport.drop();
    this.fail(reason);
  }

  /** Stops on the way, to go on later. */
  halt(): void {
    if (this.parts.transport.busy) this.halted_s = this.parts.now_s();
    this.parts.transport.halt();
  }

  /**
   * Goes on with what a pause has halted, or puts down what is in the gripper; `isStill` says
   * whether that is still wanted once the way is planned. A sentence when it is not possible.
   */
  async goOn(isStill: () => string | null): Promise<string | null> {
    const { transport, moves, now_s } = this.parts;
    const held = transport.busy ? null : this.moving;
    const toolpath = held && moves.byArm ? await moves.placing(held.move.to) : null;
    const fault = (await transport.goOn()) ?? isStill();
    if (fault) return fault;
    if (held) {
      const time_s = held.move.end_s - held.move.start_s;
      held.delay_s = now_s() - held.start_s;
      const refused = transport.begin({ toolpath, time_s, holding: true }, this.observer);
      if (refused) return refused;
    } else if (this.moving && this.halted_s !== null) {
      this.moving.delay_s += now_s() - this.halted_s;
    }
    this.halted_s = null;
    return null;
  }
}
