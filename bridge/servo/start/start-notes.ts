import type { ServoSlot } from '../calibration/servo-slot.ts';
import type { ServoStartReport, WrittenRegister } from './start-report.ts';
import type { ServoState } from './start-servos.ts';

/** What a start writes into the servos and notes about them, by servo. */
export class StartNotes {
  private readonly written = new Map<number, WrittenRegister[]>();
  private readonly notes = new Map<number, string[]>();

  note({ id }: ServoSlot, text: string): void {
    this.notes.set(id, [...(this.notes.get(id) ?? []), text]);
  }

  addWritten({ id }: ServoSlot, entry: WrittenRegister): void {
    this.written.set(id, [...(this.written.get(id) ?? []), entry]);
  }

  /** Notes the limits that a servo keeps because it holds its joint. */
  noteWideLimits(slot: ServoSlot, { wide }: ServoState): void {
    for (const { name, value } of wide) {
      const what = `has a wider ${name} than the calibration (${value})`;
      this.note(slot, `${what}, and holds: start once with --arm-is-supported to write it`);
    }
  }

  reportOf({ id }: ServoSlot): Pick<ServoStartReport, 'written' | 'notes'> {
    return { written: this.written.get(id) ?? [], notes: this.notes.get(id) ?? [] };
  }
}
