/**
 * The memory of an emulated servo: the bytes of its control table, the rules for writes (EEPROM
 * lock, read-only registers, ranges, limits, tripped watchdog, shutdown) and the pins of its
 * external port.
 */
import {
  type ControlTable,
  EEPROM_END,
  EXTENDED_RANGE,
  type IndirectBlock,
  OPERATING_MODES,
  type TableRegister,
  WATCHDOG_LOCKED,
} from './control-table.ts';

/** A write after its indirect addresses are resolved. */
interface IndirectRun {
  readonly address: number;
  readonly data: readonly number[];
}

/** Lowest address that an indirect address may point to. */
const INDIRECT_LOWEST = 64;

export class TableMemory {
  readonly table: ControlTable;
  readonly bytes: Uint8Array;
  private readonly view: DataView;
  private readonly indirect: readonly IndirectBlock[];
  /** Where each byte of indirect data points, by its address. */
  private readonly targets = new Map<number, number>();

  constructor(table: ControlTable, size: number, indirect: readonly IndirectBlock[] = []) {
    this.table = table;
    this.bytes = new Uint8Array(size);
    this.view = new DataView(this.bytes.buffer);
    this.indirect = indirect;
    this.resetPointers();
  }

  /** Points each indirect address at its own data, as a reboot of the servo does. */
  resetPointers(): void {
    for (const { data, count } of this.indirect) {
      for (let i = 0; i < count; i++) this.targets.set(data + i, data + i);
    }
  }

  /** Bytes of a span; null where it leaves the table. */
  read(address: number, length: number): number[] | null {
    if (address + length <= this.bytes.length) {
      return Array.from(this.bytes.subarray(address, address + length));
    }
    const span = Array.from({ length }, (_, i) => address + i);
    if (span.every((at) => this.targets.has(at))) {
      return span.map((at) => this.bytes[this.targets.get(at)!] ?? 0);
    }
    const block = this.pointerBlock(address, length);
    if (!block) return null;
    return span.map((at) => {
      const target = this.targets.get(block.data + ((at - block.pointers) >> 1))!;
      return ((at - block.pointers) & 1) === 0 ? target & 0xff : target >> 8;
    });
  }

  /** Writes indirect addresses; false where the span holds none. */
  writePointers(address: number, data: readonly number[]): boolean {
    const block = this.pointerBlock(address, data.length);
    if (!block || data.length % 2 !== 0 || (address - block.pointers) % 2 !== 0) return false;
    const targets = Array.from({ length: data.length / 2 }, (_, i) => {
      return data[2 * i]! + 256 * data[2 * i + 1]!;
    });
    if (targets.some((target) => target < INDIRECT_LOWEST)) return false;
    const first = block.data + (address - block.pointers) / 2;
    targets.forEach((target, i) => {
      this.targets.set(first + i, target);
    });
    return true;
  }

  /** The writes that a write of indirect data stands for; null for other addresses. */
  indirectRuns(address: number, data: readonly number[]): IndirectRun[] | null {
    if (!data.every((_, i) => this.targets.has(address + i)) || data.length === 0) return null;
    const runs: { address: number; data: number[] }[] = [];
    data.forEach((byte, i) => {
      const target = this.targets.get(address + i)!;
      const run = runs.at(-1);
      if (run && run.address + run.data.length === target) run.data.push(byte);
      else runs.push({ address: target, data: [byte] });
    });
    return runs.filter((run) => !this.targets.has(run.address));
  }

  private pointerBlock(address: number, length: number): IndirectBlock | null {
    const fits = ({ pointers, count }: IndirectBlock) =>
      address >= pointers && address + length <= pointers + 2 * count;
    return this.indirect.find(fits) ?? null;
  }

  get(name: TableRegister): number {
    const { address, size } = this.table[name];
    if (size === 4) return this.view.getInt32(address, true);
    if (size === 2) return this.view.getInt16(address, true);
    return this.view.getUint8(address);
  }

  set(name: TableRegister, value: number): void {
    const { address, size } = this.table[name];
    if (size === 4) this.view.setInt32(address, value, true);
    else if (size === 2) this.view.setInt16(address, value, true);
    else this.view.setUint8(address, value);
  }

  /** Gives registers their factory values. */
  resetWhere(which: (name: TableRegister) => boolean): void {
    for (const name of Object.keys(this.table) as TableRegister[]) {
      if (which(name)) this.set(name, this.table[name].factory);
    }
  }

  /** Registers that lie completely in a span, and whether the span cuts one. */
  within(address: number, length: number): { names: TableRegister[]; cut: boolean } {
    const end = address + length;
    const all = Object.keys(this.table) as TableRegister[];
    const touched = all.filter((name) => {
      const row = this.table[name];
      return row.address < end && row.address + row.size > address;
    });
    const whole = touched.filter((name) => {
      const row = this.table[name];
      return row.address >= address && row.address + row.size <= end;
    });
    return { names: whole, cut: whole.length < touched.length };
  }

  /** The value of a register in the data of a write that starts at `address`. */
  valueIn(name: TableRegister, address: number, data: readonly number[]): number {
    const row = this.table[name];
    const from = row.address - address;
    let value = 0;
    for (let i = row.size - 1; i >= 0; i--) value = value * 256 + data[from + i]!;
    const signed = row.range !== null && row.range[0] < 0;
    const half = 2 ** (8 * row.size - 1);
    return signed && value >= half ? value - 2 * half : value;
  }
}

/** Error numbers of a status. */
export const STATUS_ERROR = {
  none: 0,
  result: 1,
  instruction: 2,
  range: 4,
  short: 5,
  limit: 6,
  access: 7,
} as const;

/** Value of the watchdog register after it has tripped. */
export const TRIPPED = 255;
const POSITION_MODE = 3;

/** True after a shutdown by the servo: torque stays off until a reboot. */
export function isShutDown(memory: TableMemory): boolean {
  return (memory.get('hardware_error') & memory.get('shutdown')) !== 0;
}

function goalAllowed(memory: TableMemory, goal: number): boolean {
  const [low, high] =
    memory.get('operating_mode') === POSITION_MODE
      ? [memory.get('position_min'), memory.get('position_max')]
      : EXTENDED_RANGE;
  return goal >= low && goal <= high;
}

/** The error of a write of `value`; STATUS_ERROR.none when it is accepted. */
export function writeError(memory: TableMemory, name: TableRegister, value: number): number {
  const { address, range } = memory.table[name];
  if (range === null) return STATUS_ERROR.access;
  if (address < EEPROM_END && memory.get('torque') === 1) return STATUS_ERROR.access;
  if (memory.get('watchdog') === TRIPPED && WATCHDOG_LOCKED.includes(name))
    return STATUS_ERROR.range;
  if (value < range[0] || value > range[1]) return STATUS_ERROR.range;
  if (name === 'operating_mode' && !OPERATING_MODES.includes(value)) return STATUS_ERROR.range;
  if (name === 'torque' && value === 1 && isShutDown(memory)) return STATUS_ERROR.result;
  return name === 'goal_position' && !goalAllowed(memory, value)
    ? STATUS_ERROR.limit
    : STATUS_ERROR.none;
}

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
