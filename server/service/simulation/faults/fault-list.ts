import { limits } from '../../../../contract/limits.ts';
import { refuseLimitReached } from '../../../../contract/refusal.ts';
import type { AddFaultBody, SimFault } from '../../../../contract/types.generated.ts';
import type { FaultKind, FaultRefusal, FaultReporter, FaultRow, FaultTable } from './fault-kind.ts';

interface ActiveFault {
  readonly id: number;
  readonly fault: AddFaultBody;
  applied_count: number;
  end: () => void;
}

/** The list of the active injected faults. A fault that this twin cannot produce is refused. */
export class FaultList {
  private readonly table: FaultTable;
  private active: ActiveFault[] = [];
  private lastId = 0;

  constructor(table: FaultTable) {
    this.table = table;
  }

  /** The kind of a fault. */
  private rowOf({ kind }: AddFaultBody): FaultRow<FaultKind> {
    return this.table[kind] as FaultRow<FaultKind>;
  }

  private targetOf(fault: AddFaultBody): string | null {
    return this.rowOf(fault).targetOf?.(fault) ?? null;
  }

  list(): readonly SimFault[] {
    return this.active.map(({ id, fault, applied_count: acted }) => ({ id, fault, acted }));
  }

  /** Adds a fault; it replaces the one of its target. */
  add(fault: AddFaultBody): SimFault | FaultRefusal {
    if (this.active.length >= limits.faults) {
      return refuseLimitReached('faults', limits.faults);
    }
    const target = this.targetOf(fault);
    for (const entry of this.active) {
      if (target !== null && this.targetOf(entry.fault) === target) this.clear(entry.id);
    }
    return this.activate({ id: this.lastId + 1, fault, acted: 0 });
  }

  private activate(row: SimFault): SimFault | FaultRefusal {
    const { id, fault } = row;
    const entry: ActiveFault = { id, fault, applied_count: row.acted, end: () => {} };
    let isExpired = false;
    const reporter: FaultReporter = {
      applied: () => {
        entry.applied_count += 1;
      },
      expired: () => {
        isExpired = true;
        this.clear(entry.id);
      },
    };
    const end = this.rowOf(fault).produce(fault, reporter);
    if (typeof end !== 'function') return end;
    entry.end = end;
    this.lastId = Math.max(this.lastId, id);
    if (!isExpired) this.active.push(entry);
    return { id, fault, acted: entry.applied_count };
  }

  /** Ends a fault; false for an unknown id. */
  clear(id: number): boolean {
    const entry = this.active.find((one) => one.id === id);
    if (!entry) return false;
    this.active = this.active.filter((one) => one !== entry);
    entry.end();
    return true;
  }

  /** Ends the faults of the cell's parts: the cell is replaced. */
  clearCell(): void {
    for (const { id, fault } of this.active) if (this.rowOf(fault).isOfCell) this.clear(id);
  }

  clearAll(): void {
    for (const { id } of this.active) this.clear(id);
  }

  /** Replaces all faults; keeps the given ids, resets the counts. */
  replaceAll(rows: readonly SimFault[]): void {
    this.clearAll();
    for (const row of rows) this.activate({ ...row, acted: 0 });
  }
}
