/**
 * The pins of a servo for signals of the arm's builder, as the XM540 has: what is wired to them,
 * and what their registers show of it. A pin with nothing wired to it reads as its mode pulls it.
 */
import type { TableMemory } from './table-memory.ts';

/** Mode of an input with a pull-up: a broken wire reads 1. */
const PULLED_UP = 2;
const PULLED_DOWN = 3;

const PINS = [
  ['port_1_mode', 'port_1_data'],
  ['port_2_mode', 'port_2_data'],
  ['port_3_mode', 'port_3_data'],
] as const;

export class ExternalPort {
  /** What each of the three pins is wired to; null: nothing, or a wire that broke. */
  readonly wired: ('ground' | 'supply' | null)[] = [null, null, null];

  /** Writes what the pins read into the table, where the model has pins. */
  show(memory: TableMemory): void {
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
