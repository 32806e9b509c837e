import type { TableMemory } from './table-memory.ts';

/** Mode of an input with a pull-up: a broken wire reads 1. */
const PULLED_UP = 2;
const PULLED_DOWN = 3;

const PINS = [
  ['port_1_mode', 'port_1_data'],
  ['port_2_mode', 'port_2_data'],
  ['port_3_mode', 'port_3_data'],
] as const;

/**
 * The external port pins of a servo, as the XM540 has them: their wiring, and the registers that
 * show it. A pin without wiring reads the level of its pull-up or pull-down.
 */
export class ExternalPort {
  /** Wiring of each of the three pins; null: none, or a broken wire. */
  readonly wired: ('ground' | 'supply' | null)[] = [null, null, null];

  /** Writes the levels of the pins into the table, if the model has pins. */
  writeTo(memory: TableMemory): void {
    if (!('port_1_mode' in memory.table)) return;
    for (const [i, [mode, data]] of PINS.entries()) {
      const pull = memory.get(mode);
      if (pull !== PULLED_UP && pull !== PULLED_DOWN) continue;
      const floating = pull === PULLED_UP ? 1 : 0;
      const wired = this.wired[i];
      memory.set(data, wired === null ? floating : wired === 'supply' ? 1 : 0);
    }
  }
}
