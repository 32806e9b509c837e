/**
 * Selects the operation to append next: candidates are offered one by one and the best is kept. One
 * object serves a whole attempt, which offers tens of thousands of candidates.
 */
import type { Operations } from './operations.ts';

/** The parameters of one attempt of the search. */
export interface AttemptParameters {
  /** Operations that are appended first, in this order. */
  readonly sequence: readonly number[];
  /** Rank of each operation, smallest first; null: by earliest start and longest tail. */
  readonly rank: Float64Array | null;
  /** Weight of the tail relative to the start. */
  readonly weight: number;
  /** Whether labware is moved before the other conditions of its task hold. */
  readonly eager: boolean;
  /** Random term added to the preference of each operation (s); null for none. */
  readonly noise_s: Float64Array | null;
  /** Most pieces of labware in progress at a time; a low limit avoids deadlocks. */
  readonly wipLimit: number;
  /** Index of the preferred instrument among each task's candidates; −1 for any. */
  readonly preferred: Int32Array;
  /** Whether each buffering operation is wanted; null: only where the schedule is stuck. */
  readonly buffered: Uint8Array | null;
}

/** An operation that can be appended next. */
export interface CandidateOperation {
  operation: number;
  task: number;
  /** Index among the task's uses; −1 for the task itself, −2 for a move to a buffer. */
  use: number;
  /** The piece of a move to a buffer. */
  piece: number;
  instrument: number;
  /** Location index of the target of a move; −1 for a task. */
  to: number;
  start_s: number;
  end_s: number;
}

/** Returns a candidate to fill in. */
export function emptyCandidate(): CandidateOperation {
  return {
    operation: -1,
    task: -1,
    use: -1,
    piece: -1,
    instrument: -1,
    to: -1,
    start_s: 0,
    end_s: 0,
  };
}

const WAIT_PENALTY_S = 1e6;

export class OperationSelector {
  readonly best = emptyCandidate();
  private best_value = Number.POSITIVE_INFINITY;
  private readonly operations: Operations;
  private readonly parameters: AttemptParameters;
  /** End of each task (s); negative before it is scheduled. */
  private readonly end_s: Float64Array;

  constructor(operations: Operations, parameters: AttemptParameters, end_s: Float64Array) {
    this.operations = operations;
    this.parameters = parameters;
    this.end_s = end_s;
  }

  /** Discards the best candidate. */
  reset(): void {
    this.best_value = Number.POSITIVE_INFINITY;
  }

  get hasBest(): boolean {
    return this.best_value < Number.POSITIVE_INFINITY;
  }

  /** True if an operation cannot become the best, whatever its start. */
  cannotWin(operation: number): boolean {
    const { rank } = this.parameters;
    return rank !== null && this.rankOf(rank, operation) >= this.best_value;
  }

  private rankOf(rank: Float64Array, operation: number): number {
    const { noise_s } = this.parameters;
    return noise_s === null ? rank[operation]! : rank[operation]! + noise_s[operation]!;
  }

  /** True for a move whose task depends on tasks that are not scheduled. */
  private isPremature({ use, task }: CandidateOperation): boolean {
    if (use < 0) return false;
    for (const other of this.operations.before[task]!) if (this.end_s[other]! < 0) return true;
    return false;
  }

  private valueOf(candidate: CandidateOperation): number {
    const { rank, noise_s, eager, weight } = this.parameters;
    const { operation, start_s } = candidate;
    if (rank !== null) return this.rankOf(rank, operation);
    const penalty_s = !eager && this.isPremature(candidate) ? WAIT_PENALTY_S : 0;
    const random_s = noise_s === null ? 0 : noise_s[operation]!;
    const { tail_s, urgency_s } = this.operations;
    const value = start_s - weight * tail_s[operation]! + random_s + penalty_s;
    return urgency_s === null ? value : value - urgency_s[operation]!;
  }

  /** Keeps a candidate if it is better than all before. */
  offer(candidate: CandidateOperation): void {
    const value = this.valueOf(candidate);
    if (value >= this.best_value) return;
    this.best_value = value;
    const { best } = this;
    best.operation = candidate.operation;
    best.task = candidate.task;
    best.use = candidate.use;
    best.piece = candidate.piece;
    best.instrument = candidate.instrument;
    best.to = candidate.to;
    best.start_s = candidate.start_s;
    best.end_s = candidate.end_s;
  }
}
