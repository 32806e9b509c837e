/**
 * What is made to go wrong: numbered, counted, cleared one by one or all at once. Each kind has a
 * producer that acts at one port; a fault that cannot be produced is refused, never accepted in
 * silence.
 */
import { limits } from '../../contract/limits.ts';
import type { AddFaultBody, SimFault } from '../../contract/types.ts';
import { type Refusal, refuse } from '../robot/refusal.ts';

export type FaultKind = AddFaultBody['kind'];
export type FaultOf<Kind extends FaultKind> = Extract<AddFaultBody, { kind: Kind }>;

/** What a producer may use: who else stands, a count of acts, and the end of its own fault. */
export interface FaultSlot {
  /** Notes that the fault has acted once more. */
  readonly act: () => void;
  /** The fault is used up: it leaves the list by itself. */
  readonly spent: () => void;
}

/** Switches a fault on; answers how to switch it off, or why it cannot be produced. */
export type Producer<Kind extends FaultKind> = (
  fault: FaultOf<Kind>,
  slot: FaultSlot,
) => (() => void) | Refusal;

export type Producers = { readonly [Kind in FaultKind]: Producer<Kind> };

interface Standing {
  readonly id: number;
  readonly fault: AddFaultBody;
  acted: number;
  end: () => void;
}

/** Two faults of which only one can stand: the newer replaces the older. */
function sameTarget(a: AddFaultBody, b: AddFaultBody): boolean {
  return a.kind === 'driver' && b.kind === 'driver' && a.joint === b.joint;
}

export class Faults {
  private readonly producers: Producers;
  private standing: Standing[] = [];
  private lastId = 0;

  constructor(producers: Producers) {
    this.producers = producers;
  }

  list(): readonly SimFault[] {
    return this.standing.map(({ id, fault, acted }) => ({ id, fault, acted }));
  }

  add(fault: AddFaultBody): SimFault | Refusal {
    if (this.standing.length >= limits.faults) {
      return refuse('invalid_arguments', `There may be ${limits.faults} faults at most`);
    }
    for (const entry of this.standing) if (sameTarget(entry.fault, fault)) this.clear(entry.id);
    return this.stand({ id: this.lastId + 1, fault, acted: 0 });
  }

  private stand(row: SimFault): SimFault | Refusal {
    const entry: Standing = { ...row, end: () => {} };
    let isSpent = false;
    const slot: FaultSlot = {
      act: () => {
        entry.acted += 1;
      },
      spent: () => {
        isSpent = true;
        this.clear(entry.id);
      },
    };
    const produce = this.producers[row.fault.kind] as Producer<FaultKind>;
    const end = produce(row.fault, slot);
    if (typeof end !== 'function') return end;
    entry.end = end;
    this.lastId = Math.max(this.lastId, row.id);
    if (!isSpent) this.standing.push(entry);
    return { id: entry.id, fault: entry.fault, acted: entry.acted };
  }

  /** Ends one; false when there is none of this number. */
  clear(id: number): boolean {
    const entry = this.standing.find((one) => one.id === id);
    if (!entry) return false;
    this.standing = this.standing.filter((one) => one !== entry);
    entry.end();
    return true;
  }

  clearAll(): void {
    for (const { id } of this.standing) this.clear(id);
  }

  /** Puts these in place of all that stood, with their numbers. */
  set(rows: readonly SimFault[]): void {
    this.clearAll();
    for (const row of rows) this.stand({ ...row, acted: 0 });
  }
}
