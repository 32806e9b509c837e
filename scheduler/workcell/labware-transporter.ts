/**
 * Transporters move labware, one piece at a time: with the arm, or on a timer if a workflow has no
 * stations.
 */
import type { LoadedToolpath } from '../../server/robot/loaded-toolpath.ts';
import type { CarriedLabware } from './carry-watch.ts';

/** Receives the events of a move. */
export interface MoveObserver {
  onPicked(): void;
  onPlaced(): void;
  /** The arm is home again, or the time has passed. */
  onDone(): void;
  /** The move has failed; the arm no longer moves. */
  onFailed(reason: string): void;
}

export interface MoveOrder {
  /** Null if the arm does not move. */
  readonly toolpath: LoadedToolpath | null;
  readonly time_s: number;
  /** True if the piece is already in the gripper. */
  readonly isHolding: boolean;
  /** The piece and where it goes, as a cell knows them. */
  readonly labware: CarriedLabware;
}

export interface LabwareTransporter {
  readonly isBusy: boolean;
  /** False while the arm comes to rest after a cancelled motion: no move can start yet. */
  readonly isReady: boolean;
  /** Starts a move; returns a message if that is not possible. */
  start(order: MoveOrder, observer: MoveObserver): string | null;
  /** Reads the robot state after a tick. */
  update(): void;
  /** Pauses the move in progress. */
  pause(): void;
  /**
   * Plans how a paused move goes on, or checks that the arm can take the piece in the gripper to
   * its place. Returns a message if that is not possible.
   */
  prepareResume(rest: { readonly isHolding: boolean }): Promise<string | null>;
  /** Goes on with a paused move as prepared; returns a message if not possible. */
  resume(): string | null;
  /** Whether all motion has ended after a pause. */
  readonly isAtRest: boolean;
  /** Cancels the move in progress without calling the observer. */
  cancel(): void;
  /** The power of the arm was cycled: the move in progress fails at the next `update`. */
  losePower(): void;
  /** Ends observation without a robot command: the twin was restored to another state. */
  detach(): void;
}
