/** The list of the active injected faults. A fault that this twin cannot produce is refused. */

import { limits } from '../../../../contract/limits.ts';
import { refuseLimitReached } from '../../../../contract/refusal.ts';
import type { AddFaultBody, SimFault } from '../../../../contract/types.ts';
import type {
  FaultKind,
  FaultProducer,
  FaultProducers,
  FaultRefusal,
  FaultReporter,
} from './fault-kinds.ts';

interface ActiveFault {
  readonly id: number;
  readonly fault: AddFaultBody;
  applied_count: number;
  end: () => void;
}

/** The fault kinds of parts of the cell, each named like its part. */
export const CELL_PARTS = ['gripper', 'object', 'sensor', 'conveyor'] as const;

function isOfCell({ kind }: AddFaultBody): boolean {
  return CELL_PARTS.some((part) => part === kind);
}

/** The part of arm or cell on which a fault acts, of which it can have only one; null: no such. */
function targetOf(fault: AddFaultBody): string | null {
  if (fault.kind === 'driver') return `joint ${fault.joint}`;
  if (fault.kind === 'gripper') return `gripper ${fault.gripper}`;
  if (fault.kind === 'object') return `object ${fault.object}`;
  if (fault.kind === 'sensor') return `sensor ${fault.sensor}`;
  return fault.kind === 'conveyor' ? `conveyor ${fault.conveyor}` : null;
}

/** Whether two faults exclude each other: the newer one replaces the older. */
function sameTarget(a: AddFaultBody, b: AddFaultBody): boolean {
  const target = targetOf(a);
  return target !== null && target === targetOf(b);
}

export class FaultList {
  private readonly producers: FaultProducers;
  private active: ActiveFault[] = [];
  private lastId = 0;

  constructor(producers: FaultProducers) {
    this.producers = producers;
  }

  list(): readonly SimFault[] {
    return this.active.map(({ id, fault, applied_count: acted }) => ({ id, fault, acted }));
  }

  add(fault: AddFaultBody): SimFault | FaultRefusal {
    if (this.active.length >= limits.faults) {
      return refuseLimitReached('faults', limits.faults);
    }
    for (const entry of this.active) if (sameTarget(entry.fault, fault)) this.clear(entry.id);
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
    const produce = this.producers[fault.kind] as FaultProducer<FaultKind>;
    const end = produce(fault, reporter);
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
    for (const { id, fault } of this.active) if (isOfCell(fault)) this.clear(id);
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
