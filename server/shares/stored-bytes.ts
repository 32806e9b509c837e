/**
 * The bytes that each owner has in the store: toolpaths, workflows, workcells, deliveries and runs
 * with their events. A call that would store more than its owner's share is refused before
 * anything is stored. While the machine is short of memory, owners who use more than an equal part
 * are refused first.
 */

import type { Refusal } from '../../contract/refusal.ts';
import { BYTES_PER_MIB, type ShareRow } from '../../contract/shares.ts';
import type { Claimant, Owner } from './claimant.ts';
import { Share } from './share.ts';

export type StorageRefusal = Refusal<'storage_used_up'>;

/** A stored row: where it is, whose it may be, and its size with its body. */
export interface SizedRow {
  readonly table: string;
  readonly key: Owner;
  readonly row: unknown;
  readonly size_bytes: number;
}

/** The bytes of the lists of a run, and whose they are; null without a row of the run. */
interface RunBytes {
  owner: number | null;
  bytes: number;
}

/** The tables of the lists of a run. */
const LIST_OF_RUN = /^run-(\d+)-/;

export class StoredBytes {
  readonly share: Share<'storage_used_up'>;
  /** Whether the machine is short of memory; looked at before each admission. */
  isShort: () => boolean = () => false;
  /** The runs, whose lists do not name an owner. */
  private readonly runs = new Map<string, RunBytes>();

  constructor(row: ShareRow<'storage_used_up'>) {
    this.share = new Share(row);
  }

  /** Notes a row that is stored now (`sign` 1) or no longer (−1). */
  note({ table, key, row, size_bytes }: SizedRow, sign: 1 | -1): void {
    const run = LIST_OF_RUN.exec(table)?.[1];
    if (run !== undefined) {
      this.noteOfRun(run, sign * size_bytes);
      return;
    }
    const { owner_id } = (row ?? {}) as { readonly owner_id?: number };
    if (owner_id === undefined) return;
    // The body of a toolpath is a row of its own, which names no owner; its size stands here.
    const body_bytes = table === 'toolpaths' ? (row as { readonly bytes: number }).bytes : 0;
    this.share.add(owner_id, sign * (size_bytes + body_bytes));
    if (table === 'runs') this.own(String(key), sign === 1 ? owner_id : null);
  }

  private runOf(run: string): RunBytes {
    const known = this.runs.get(run);
    if (known) return known;
    const made = { owner: null, bytes: 0 };
    this.runs.set(run, made);
    return made;
  }

  /** Notes bytes of the lists of a run; they can be stored before its row, and outlast it. */
  private noteOfRun(run: string, bytes: number): void {
    const entry = this.runOf(run);
    entry.bytes += bytes;
    if (entry.owner !== null) this.share.add(entry.owner, bytes);
    else if (entry.bytes === 0) this.runs.delete(run);
  }

  /** The lists of a run are those of an owner from now on, or of nobody. */
  private own(run: string, owner: number | null): void {
    const entry = this.runOf(run);
    if (entry.owner !== null) this.share.add(entry.owner, -entry.bytes);
    entry.owner = owner;
    if (owner !== null) this.share.add(owner, entry.bytes);
    else if (entry.bytes === 0) this.runs.delete(run);
  }

  /** Why an owner may not store so many bytes more; null if that is possible. */
  refusal(claimant: Claimant, bytes: number): StorageRefusal | null {
    if (bytes <= 0) return null;
    const full = this.share.refusal(claimant, bytes);
    if (full) return { ...full, details: this.inMegabytes(claimant) };
    if (!this.isShort() || !this.isLarge(claimant.owner)) return null;
    const { retry_after_s } = this.share.row;
    const details = `The twin is short of memory, and you use most of it. ${this.inMegabytes(claimant)}`;
    return { refused: 'storage_used_up', details, count: 0, retry_after_s };
  }

  /** Whether an owner uses more than an equal part of what all use. */
  private isLarge(owner: Owner): boolean {
    return this.share.usedBy(owner) * this.share.owners.size >= this.share.used;
  }

  private inMegabytes(claimant: Claimant): string {
    const text = (bytes: number) => (bytes / BYTES_PER_MIB).toFixed(1);
    const own = this.share.usedBy(claimant.owner);
    return (
      `You use ${text(own)} of the ${text(this.share.mostOf(claimant))} MiB that are your share ` +
      `now: ${this.share.row.remedy}`
    );
  }

  /**
   * Does what stores so many bytes, unless they are refused. They count from now on, so that calls
   * at the same time are not admitted together to what only one of them may have.
   */
  async admit<Value>(
    claimant: Claimant,
    bytes: number,
    work: () => Promise<Value>,
  ): Promise<Value | StorageRefusal> {
    const refusal = this.refusal(claimant, bytes);
    if (refusal) return refusal;
    const reserved = Math.max(0, bytes);
    this.share.add(claimant.owner, reserved);
    try {
      return await work();
    } finally {
      this.share.add(claimant.owner, -reserved);
    }
  }
}
