/**
 * Packets and registers of Feetech's STS servos: FF FF, id, length, instruction (in a status the
 * error), parameters, checksum. Values are little-endian; signed ones carry their sign in a bit.
 * Addresses are those of the vendor's memory table (STS3215, version 3.6).
 */
import type { Bus, Transaction, WireFormat } from '../bus/bus.ts';
import type { Packet, ReaderCounts, ReadPacket } from '../bus/codec.ts';
import {
  BROADCAST_ID,
  INSTRUCTION,
  type RegisterSpan,
  type ServoData,
} from '../bus/instructions.ts';

export interface StsRegister extends RegisterSpan {
  /** Bit of the sign; absent: never negative. */
  readonly sign_bit?: number;
}

function byte(address: number): StsRegister {
  return { address, length: 1 };
}

function word(address: number, sign_bit?: number): StsRegister {
  return { address, length: 2, ...(sign_bit !== undefined && { sign_bit }) };
}

export const STS_REGISTER = {
  firmware: word(0),
  model: word(3),
  baud: byte(6),
  return_delay: byte(7),
  status_level: byte(8),
  position_min: word(9),
  position_max: word(11),
  temperature_limit: byte(13),
  voltage_max: byte(14),
  voltage_min: byte(15),
  torque_max: word(16),
  phase: byte(18),
  unloading: byte(19),
  position_p: byte(21),
  position_d: byte(22),
  position_i: byte(23),
  startup_force: word(24),
  dead_forward: byte(26),
  dead_backward: byte(27),
  resolution: byte(30),
  homing_offset: word(31, 11),
  operating_mode: byte(33),
  protective_torque: byte(34),
  protection_time: byte(35),
  overload_torque: byte(36),
  torque: byte(40),
  acceleration: byte(41),
  goal_position: word(42, 15),
  goal_speed: word(46, 15),
  torque_limit: word(48),
  lock: byte(55),
  present_position: word(56, 15),
  present_speed: word(58, 15),
  present_load: word(60, 10),
  voltage: byte(62),
  temperature: byte(63),
  status: byte(65),
  present_current: word(69, 15),
} as const satisfies Readonly<Record<string, StsRegister>>;

export type StsRegisterName = keyof typeof STS_REGISTER;

/** The register's value in data that start at address `from`. */
export function stsValue(data: ArrayLike<number>, from: number, register: StsRegister): number {
  const at = register.address - from;
  const raw = data[at]! + (register.length === 2 ? 256 * data[at + 1]! : 0);
  const sign = register.sign_bit === undefined ? 0 : 1 << register.sign_bit;
  return (raw & sign) === 0 ? raw : -(raw & ~sign);
}

/** A value as the bytes of its register. */
export function stsData({ length, sign_bit }: StsRegister, value: number): number[] {
  const raw = value < 0 && sign_bit !== undefined ? -value | (1 << sign_bit) : value;
  return length === 1 ? [raw & 0xff] : [raw & 0xff, (raw >> 8) & 0xff];
}

const CODE = { ping: 0x01, read: 0x02, write: 0x03, sync_read: 0x82, sync_write: 0x83 } as const;

function packet(id: number, instruction: number, params: readonly number[]): Packet {
  return { id, instruction, params: Uint8Array.from(params) };
}

/** Reads a span of several servos; each answers with its own status, in this order. */
export function stsSyncRead(ids: readonly number[], { address, length }: RegisterSpan): Packet {
  return packet(BROADCAST_ID, CODE.sync_read, [address, length, ...ids]);
}

/** Writes the same span of several servos, without an answer. */
export function stsSyncWrite(
  { address, length }: RegisterSpan,
  rows: readonly ServoData[],
): Packet {
  const data = rows.flatMap((row) => [row.id, ...Array.from(row.data)]);
  return packet(BROADCAST_ID, CODE.sync_write, [address, length, ...data]);
}

function transaction(id: number, instruction: number, params: readonly number[]): Transaction {
  const length = instruction === CODE.read ? params[1]! : 0;
  return { packet: packet(id, instruction, params), ids: [id], length };
}

/** Whether a servo answers. */
export async function pingSts(bus: Bus, id: number, tries?: number): Promise<boolean> {
  return (await bus.requestOne(() => transaction(id, CODE.ping, []), tries)) !== null;
}

/** Highest id of a servo. */
const HIGHEST_ID = 253;
/** Wait for the answers to a ping of all servos (ms). */
const SCAN_MS = 250;

/** Ids of all servos that answer. */
export async function scanSts(bus: Bus): Promise<readonly number[]> {
  const ids = Array.from({ length: HIGHEST_ID + 1 }, (_, id) => id);
  const ping = packet(BROADCAST_ID, CODE.ping, []);
  const replies = await bus.request({ packet: ping, ids, length: 0, extra_wait_ms: SCAN_MS });
  return replies.map(({ id }) => id);
}

/** The value of a register; null without an answer. */
export async function readSts(bus: Bus, id: number, name: StsRegisterName): Promise<number | null> {
  const values = await readStsTogether(bus, id, [name]);
  return values?.[0] ?? null;
}

/**
 * The values of registers at one moment; null without an answer. Each read has a length of its own,
 * so that no late or repeated answer of another read is taken for it.
 */
export async function readStsTogether(
  bus: Bus,
  id: number,
  names: readonly StsRegisterName[],
): Promise<number[] | null> {
  const registers = names.map((name): StsRegister => STS_REGISTER[name]);
  const first = Math.min(...registers.map(({ address }) => address));
  const end = Math.max(...registers.map(({ address, length }) => address + length));
  let from = first;
  const reply = await bus.requestOne(() => {
    const length = bus.readLength(end - first);
    from = Math.max(0, end - length);
    return transaction(id, CODE.read, [from, length]);
  });
  return reply && registers.map((one) => stsValue(reply.data, from, one));
}

/** Writes a register; false without an answer. Servos refuse no value, so read it back. */
export async function writeSts(
  bus: Bus,
  id: number,
  [name, value]: readonly [StsRegisterName, number],
): Promise<boolean> {
  const register = STS_REGISTER[name];
  const params = [register.address, ...stsData(register, value)];
  return (await bus.requestOne(() => transaction(id, CODE.write, params))) !== null;
}

/** Writes of a register whose answer turns out to be that of another write. */
const WRITES = 3;

/** Writes a register and reads it back; returns its value, or null without an answer. */
export async function writeStsAndReadBack(
  bus: Bus,
  id: number,
  setting: readonly [StsRegisterName, number],
): Promise<number | null> {
  let found: number | null = null;
  for (let i = 0; i < WRITES; i++) {
    found = (await writeSts(bus, id, setting)) ? await readSts(bus, id, setting[0]) : null;
    if (found === null || found === setting[1]) return found;
  }
  return found;
}

/** Bytes before the parameters, and of the checksum behind them. */
const HEAD_SIZE = 5;
const SUM_SIZE = 1;
/** Longest packet (bytes). */
const SIZE_MAX = 250;

/** The inverted sum of the bytes behind the header. */
function checksum(bytes: Uint8Array, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i++) sum += bytes[i]!;
  return ~sum & 0xff;
}

function encode({ id, instruction, params }: Packet, out: Uint8Array): number {
  const end = HEAD_SIZE + params.length;
  if (end + SUM_SIZE > SIZE_MAX) return 0;
  out.set([0xff, 0xff, id, params.length + 2, instruction]);
  out.set(params, HEAD_SIZE);
  out[end] = checksum(out, 2, end);
  return end + SUM_SIZE;
}

/** Finds statuses in the byte stream, among noise, lost and repeated bytes. */
class StsReader {
  readonly counts: ReaderCounts = {
    packets: 0,
    checksum_errors: 0,
    malformed: 0,
    dropped_bytes: 0,
  };
  private readonly onPacket: (packet: ReadPacket) => void;
  private waiting = new Uint8Array(0);

  constructor(onPacket: (packet: ReadPacket) => void) {
    this.onPacket = onPacket;
  }

  push(bytes: Uint8Array): void {
    const all = new Uint8Array(this.waiting.length + bytes.length);
    all.set(this.waiting);
    all.set(bytes, this.waiting.length);
    let at = 0;
    for (let size = sizeAt(all, at); size !== 0; size = sizeAt(all, at)) {
      if (size > 0 && at + size > all.length) break;
      const taken = size > 0 && this.take(all, at, at + size - SUM_SIZE);
      at += taken ? size : 1;
      if (!taken) this.counts.dropped_bytes += 1;
    }
    this.waiting = all.slice(at);
  }

  discardPartial(): void {
    this.counts.dropped_bytes += this.waiting.length;
    this.waiting = new Uint8Array(0);
  }

  private take(bytes: Uint8Array, start: number, sum_at: number): boolean {
    if (checksum(bytes, start + 2, sum_at) !== bytes[sum_at]) {
      this.counts.checksum_errors += 1;
      return false;
    }
    this.counts.packets += 1;
    const params = bytes.slice(start + HEAD_SIZE - 1, sum_at);
    this.onPacket({ id: bytes[start + 2]!, instruction: INSTRUCTION.status, params });
    return true;
  }
}

/** Size of the packet that starts here; 0 when more bytes are needed, -1 when none starts. */
function sizeAt(bytes: Uint8Array, at: number): number {
  const known = bytes.length - at;
  if (known === 0) return 0;
  if (bytes[at] !== 0xff || (known > 1 && bytes[at + 1] !== 0xff)) return -1;
  if (known > 2 && bytes[at + 2]! > HIGHEST_ID) return -1;
  if (known < HEAD_SIZE - 1) return 0;
  const length = bytes[at + 3]!;
  return length < 2 || length + HEAD_SIZE - 1 > SIZE_MAX ? -1 : length + HEAD_SIZE - 1;
}

/** The packets of the STS series, for the bus. */
export const STS_FORMAT: WireFormat = {
  encode,
  createReader: (onPacket) => new StsReader(onPacket),
  request_overhead_bytes: HEAD_SIZE + SUM_SIZE,
  status_overhead_bytes: HEAD_SIZE + SUM_SIZE,
  read_lengths: [1, 30],
};
