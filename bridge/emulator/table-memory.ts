/** The bytes of one servo's control table, with its registers by name. */
import type { ControlTable, RegisterName } from './control-table.ts';

export class TableMemory {
  readonly table: ControlTable;
  readonly bytes: Uint8Array;
  private readonly view: DataView;

  constructor(table: ControlTable, size: number) {
    this.table = table;
    this.bytes = new Uint8Array(size);
    this.view = new DataView(this.bytes.buffer);
  }

  get(name: RegisterName): number {
    const { address, size } = this.table[name];
    if (size === 4) return this.view.getInt32(address, true);
    if (size === 2) return this.view.getInt16(address, true);
    return this.view.getUint8(address);
  }

  set(name: RegisterName, value: number): void {
    const { address, size } = this.table[name];
    if (size === 4) this.view.setInt32(address, value, true);
    else if (size === 2) this.view.setInt16(address, value, true);
    else this.view.setUint8(address, value);
  }

  /** Registers that lie wholly in a stretch, and whether one is cut by its end. */
  within(address: number, length: number): { names: RegisterName[]; cut: boolean } {
    const end = address + length;
    const all = Object.keys(this.table) as RegisterName[];
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

  /** What a register would hold if these bytes (of a stretch from `address`) were written. */
  told(name: RegisterName, address: number, data: readonly number[]): number {
    const row = this.table[name];
    const from = row.address - address;
    let value = 0;
    for (let i = row.size - 1; i >= 0; i--) value = value * 256 + data[from + i]!;
    const signed = row.range !== null && row.range[0] < 0;
    const half = 2 ** (8 * row.size - 1);
    return signed && value >= half ? value - 2 * half : value;
  }
}
