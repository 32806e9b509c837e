/**
 * The memory of an emulated STS servo: its table with the values at delivery, sign bits, and the
 * EEPROM with its lock. From the vendor's table (memory table of the STS3215, version 3.6).
 */

/** A register: address, bytes, value at delivery, and the bit of its sign where it has one. */
type Row = readonly [address: number, size: 1 | 2, initial: number, sign_bit?: number];

/** Registers up to the EEPROM's end are kept without power; from TORQUE on they are in RAM. */
const TABLE = {
  firmware_major: [0, 1, 3],
  firmware_minor: [1, 1, 6],
  model: [3, 2, 777],
  id: [5, 1, 1],
  baud: [6, 1, 0],
  return_delay: [7, 1, 0],
  response_level: [8, 1, 1],
  angle_min: [9, 2, 0],
  angle_max: [11, 2, 4095],
  temperature_max: [13, 1, 70],
  voltage_max: [14, 1, 140],
  voltage_min: [15, 1, 40],
  torque_max: [16, 2, 1000],
  phase: [18, 1, 12],
  unloading: [19, 1, 44],
  led_alarm: [20, 1, 47],
  p: [21, 1, 32],
  d: [22, 1, 32],
  i: [23, 1, 0],
  startup_force: [24, 2, 16],
  dead_cw: [26, 1, 1],
  dead_ccw: [27, 1, 1],
  current_max: [28, 2, 500],
  resolution: [30, 1, 1],
  offset: [31, 2, 0, 11],
  mode: [33, 1, 0],
  protective_torque: [34, 1, 20],
  protection_time: [35, 1, 200],
  overload_torque: [36, 1, 80],
  current_time: [38, 1, 200],
  torque: [40, 1, 0],
  acceleration: [41, 1, 0],
  goal: [42, 2, 0, 15],
  goal_time: [44, 2, 0, 10],
  goal_speed: [46, 2, 0, 15],
  torque_limit: [48, 2, 1000],
  lock: [55, 1, 0],
  position: [56, 2, 0, 15],
  speed: [58, 2, 0, 15],
  load: [60, 2, 0, 10],
  voltage: [62, 1, 0],
  temperature: [63, 1, 0],
  status: [65, 1, 0],
  moving: [66, 1, 0],
  current: [69, 2, 0, 15],
} as const satisfies Readonly<Record<string, Row>>;

export type StsTableRegister = keyof typeof TABLE;

const NAMES = Object.keys(TABLE) as StsTableRegister[];
const RAM_START = 40;
const TABLE_END = 71;
const READ_ONLY: readonly StsTableRegister[] = ['firmware_major', 'firmware_minor', 'model'];
const MEASURED_START = 56;

export class StsMemory {
  readonly bytes = new Uint8Array(TABLE_END);
  /** The EEPROM as it is kept without power. */
  private readonly kept = new Uint8Array(RAM_START);

  /** Values at delivery, some of them changed. */
  constructor(changes: Partial<Record<StsTableRegister, number>>) {
    for (const name of NAMES) this.set(name, TABLE[name][2]);
    for (const [name, value] of Object.entries(changes)) this.set(name as StsTableRegister, value);
    this.kept.set(this.bytes.subarray(0, RAM_START));
  }

  get(name: StsTableRegister): number {
    const [address, size, , sign_bit] = TABLE[name] as Row;
    const raw = this.bytes[address]! + (size === 2 ? 256 * this.bytes[address + 1]! : 0);
    const sign = sign_bit === undefined ? 0 : 1 << sign_bit;
    return (raw & sign) === 0 ? raw : -(raw & ~sign);
  }

  set(name: StsTableRegister, value: number): void {
    const [address, size, , sign_bit] = TABLE[name] as Row;
    const raw = value < 0 && sign_bit !== undefined ? -value | (1 << sign_bit) : value;
    this.bytes[address] = raw & 0xff;
    if (size === 2) this.bytes[address + 1] = (raw >> 8) & 0xff;
  }

  /** Values of the EEPROM return after a power cycle, those of the RAM as at delivery. */
  restart(): void {
    for (const name of NAMES) if (TABLE[name][0] >= RAM_START) this.set(name, TABLE[name][2]);
    this.bytes.set(this.kept);
    this.set('torque_limit', this.get('torque_max'));
  }

  read(address: number, length: number): number[] {
    return Array.from({ length }, (_, i) => this.bytes[address + i] ?? 0);
  }

  /** Writes bytes; what may not be written stays as it is, and a locked EEPROM keeps nothing. */
  write(address: number, data: readonly number[]): void {
    const readOnly = READ_ONLY.flatMap((name) => {
      const [at, size] = TABLE[name];
      return Array.from({ length: size }, (_, i) => at + i);
    });
    data.forEach((byte, i) => {
      const at = address + i;
      if (at >= MEASURED_START || readOnly.includes(at)) return;
      this.bytes[at] = byte;
      if (at < RAM_START && this.get('lock') === 0) this.kept[at] = byte;
    });
  }

  /** Writes a register of the EEPROM, whatever the lock. */
  keep(name: StsTableRegister, value: number): void {
    this.set(name, value);
    const [address, size] = TABLE[name];
    this.kept.set(this.bytes.subarray(address, address + size), address);
  }
}

/** Whether a write of `length` bytes from `address` on covers a register. */
export function covers(name: StsTableRegister, address: number, length: number): boolean {
  return TABLE[name][0] >= address && TABLE[name][0] < address + length;
}
