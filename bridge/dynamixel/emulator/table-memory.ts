/**
 * The memory of an emulated servo: the bytes of its control table, and the indirect addresses that
 * point into it.
 */
import type { ControlTable, TableRegister } from './control-table.ts';
import type { IndirectBlock } from './emulated-models.ts';

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
