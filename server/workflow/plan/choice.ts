/**
 * The choice of what is appended next: options are offered one by one, the most preferred stays.
 * One object serves a whole attempt, since options come by the ten thousand.
 */
import type { Operations } from './operations.ts';

/** What makes one attempt differ from another. */
export interface Genes {
  /** Operations in the order in which they are appended before any preference counts. */
  readonly sequence: readonly number[];
  /** Preference of each operation, smallest first; null: by earliest start and longest tail. */
  readonly rank: Float64Array | null;
  /** How much a second of tail counts against a second of start. */
  readonly weight: number;
  /** Whether labware is brought before its task's other conditions hold. */
  readonly eager: boolean;
  /** Added to the preference of each operation (s); null for none. */
  readonly noise_s: Float64Array | null;
  /** Most pieces of labware that are on their way at a time: fewer get stuck less. */
  readonly limit: number;
  /** Index of the preferred instrument among each task's candidates; −1 for any. */
  readonly preferred: Int32Array;
}

/** An operation that could be appended next. */
export interface Option {
  operation: number;
  task: number;
  /** Index among the task's uses; −1 for the task itself. */
  use: number;
  instrument: number;
  /** Number of the place that a move leads to; −1 for a task. */
  to: number;
  start_s: number;
  end_s: number;
}

/** An option to be filled in. */
export function emptyOption(): Option {
  return { operation: -1, task: -1, use: -1, instrument: -1, to: -1, start_s: 0, end_s: 0 };
}

const WAIT_PENALTY_S = 1e6;

export class Choice {
  readonly best = emptyOption();
  private best_value = Number.POSITIVE_INFINITY;
  private readonly operations: Operations;
  private readonly genes: Genes;
  /** End of each placed task; negative before it is placed. */
  private readonly end_s: Float64Array;

  constructor(operations: Operations, genes: Genes, end_s: Float64Array) {
    this.operations = operations;
    this.genes = genes;
    this.end_s = end_s;
  }

  /** Forgets what was offered. */
  reset(): void {
    this.best_value = Number.POSITIVE_INFINITY;
  }

  get isMade(): boolean {
    return this.best_value < Number.POSITIVE_INFINITY;
  }

  /** True when an operation cannot be preferred any more, whenever it could start. */
  isBeaten(operation: number): boolean {
    const { rank } = this.genes;
    return rank !== null && this.rankOf(rank, operation) >= this.best_value;
  }

  private rankOf(rank: Float64Array, operation: number): number {
    const { noise_s } = this.genes;
    return noise_s === null ? rank[operation]! : rank[operation]! + noise_s[operation]!;
  }

  /** True when the rest of a move's task depends on tasks that are not placed. */
  private isEarly({ use, task }: Option): boolean {
    if (use < 0) return false;
    for (const other of this.operations.before[task]!) if (this.end_s[other]! < 0) return true;
    return false;
  }

  private valueOf(option: Option): number {
    const { rank, noise_s, eager, weight } = this.genes;
    const { operation, start_s } = option;
    if (rank !== null) return this.rankOf(rank, operation);
    const early_s = !eager && this.isEarly(option) ? WAIT_PENALTY_S : 0;
    const shaken_s = noise_s === null ? 0 : noise_s[operation]!;
    return start_s - weight * this.operations.tail_s[operation]! + shaken_s + early_s;
  }

  /** Keeps an option if it is preferred to all before. */
  offer(option: Option): void {
    const value = this.valueOf(option);
    if (value >= this.best_value) return;
    this.best_value = value;
    const { best } = this;
    best.operation = option.operation;
    best.task = option.task;
    best.use = option.use;
    best.instrument = option.instrument;
    best.to = option.to;
    best.start_s = option.start_s;
    best.end_s = option.end_s;
  }
}
