/**
 * What is made to go wrong: numbered, counted, cleared one by one or all at once. Each kind is a
 * row of a table that says where it acts; a fault that cannot be produced is refused.
 */
import { limits } from '../../contract/limits.ts';
import type { AddFaultBody, SimFault } from '../../contract/types.ts';
import type { Loop } from '../robot/loop.ts';
import { type Refusal, refuse } from '../robot/refusal.ts';

/** A fault that is on: what ends it, and how often it has acted. */
interface Standing {
  readonly id: number;
  readonly fault: AddFaultBody;
  readonly acted: () => number;
  readonly end: () => void;
}

export class Faults {
  private readonly loop: Loop;
  private standing: Standing[] = [];
  private lastId = 0;

  constructor(loop: Loop) {
    this.loop = loop;
  }

  list(): readonly SimFault[] {
    return this.standing.map(shown);
  }

  add(fault: AddFaultBody): SimFault | Refusal {
    if (this.standing.length >= limits.faults) {
      return refuse('invalid_arguments', `There may be ${limits.faults} faults at most`);
    }
    for (const entry of this.standing) if (sameJoint(entry.fault, fault)) this.clear(entry.id);
    const produced = this.loop.act({
      kind: 'joint_fault',
      joint: fault.joint,
      fault: fault.fault,
    });
    if (!produced) return refuse('not_supported', `The arm cannot produce ${fault.fault}`);
    const end = () => {
      this.loop.act({ kind: 'joint_fault', joint: fault.joint, fault: null });
    };
    const entry = { id: ++this.lastId, fault, acted: () => 1, end };
    this.standing.push(entry);
    return shown(entry);
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
}

function shown({ id, fault, acted }: Standing): SimFault {
  return { id, fault, acted: acted() };
}

function sameJoint(a: AddFaultBody, b: AddFaultBody): boolean {
  return a.joint === b.joint;
}
