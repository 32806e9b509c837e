/**
 * Instructions of DYNAMIXEL Protocol 2.0: their codes, and one function for each that builds its
 * packet.
 */
import type { Packet } from '../servo/bus/packet.ts';
import type { RegisterSpan, ServoData } from '../servo/bus/register-data.ts';

export const INSTRUCTION = {
  ping: 0x01,
  read: 0x02,
  write: 0x03,
  reg_write: 0x04,
  action: 0x05,
  factory_reset: 0x06,
  reboot: 0x08,
  clear: 0x10,
  control_table_backup: 0x20,
  status: 0x55,
  sync_read: 0x82,
  sync_write: 0x83,
  fast_sync_read: 0x8a,
  bulk_read: 0x92,
  bulk_write: 0x93,
  fast_bulk_read: 0x9a,
} as const;

/** Addresses all servos; no servo has this id. */
export const BROADCAST_ID = 254;
/** Usable ids are 0..252. */
export const HIGHEST_ID = 252;

/** A register span of one servo, for bulk reads. */
export interface ServoSpan extends RegisterSpan {
  readonly id: number;
}

type Instruction = keyof typeof INSTRUCTION;

function packet(id: number, name: Instruction, params: readonly number[] = []): Packet {
  return { id, instruction: INSTRUCTION[name], params: Uint8Array.from(params) };
}

function littleEndian(value: number): [number, number] {
  return [value & 0xff, (value >> 8) & 0xff];
}

function spanParams({ address, length }: RegisterSpan): number[] {
  return [...littleEndian(address), ...littleEndian(length)];
}

/** Requests model and firmware; with BROADCAST_ID of all servos. */
export function ping(id: number): Packet {
  return packet(id, 'ping');
}

/** Reads a register span of one servo. */
export function read(id: number, span: RegisterSpan): Packet {
  return packet(id, 'read', spanParams(span));
}

/** Writes bytes from an address on; the servo replies with its error. */
export function write(id: number, address: number, data: ArrayLike<number>): Packet {
  return packet(id, 'write', [...littleEndian(address), ...Array.from(data)]);
}

/** A write that waits for `action`. */
export function regWrite(id: number, address: number, data: ArrayLike<number>): Packet {
  return packet(id, 'reg_write', [...littleEndian(address), ...Array.from(data)]);
}

/** Executes the write that `regWrite` registered. */
export function action(id: number): Packet {
  return packet(id, 'action');
}

const RESET_SCOPE = { all: 0xff, all_but_id: 0x01, all_but_id_and_baud: 0x02 } as const;

/** Resets the registers to factory values and reboots. */
export function factoryReset(id: number, scope: keyof typeof RESET_SCOPE): Packet {
  return packet(id, 'factory_reset', [RESET_SCOPE[scope]]);
}

/** Reboots a servo; its torque is off afterwards. */
export function reboot(id: number): Packet {
  return packet(id, 'reboot');
}

/** Folds a multi-turn position into one turn; the key prevents accidental calls. */
export function clearTurns(id: number): Packet {
  return packet(id, 'clear', [0x01, 0x44, 0x58, 0x4c, 0x22]);
}

/** Stores the control table in the servo, or restores the stored one and reboots. */
export function backup(id: number, what: 'store' | 'restore'): Packet {
  const code = what === 'store' ? 0x01 : 0x02;
  return packet(id, 'control_table_backup', [code, 0x43, 0x54, 0x52, 0x4c]);
}

/** Reads one span of many servos; each replies with its own status, in this order. */
export function syncRead(ids: readonly number[], span: RegisterSpan): Packet {
  return packet(BROADCAST_ID, 'sync_read', [...spanParams(span), ...ids]);
}

/** Like syncRead, with one status for all servos (splitFastStatus). */
export function fastSyncRead(ids: readonly number[], span: RegisterSpan): Packet {
  return packet(BROADCAST_ID, 'fast_sync_read', [...spanParams(span), ...ids]);
}

/** Writes the same span of many servos, without a reply. */
export function syncWrite(span: RegisterSpan, rows: readonly ServoData[]): Packet {
  const data = rows.flatMap((row) => [row.id, ...Array.from(row.data)]);
  return packet(BROADCAST_ID, 'sync_write', [...spanParams(span), ...data]);
}

function bulkParams(spans: readonly ServoSpan[]): number[] {
  return spans.flatMap((span) => [span.id, ...spanParams(span)]);
}

/** Reads a different span of each servo, each id once. */
export function bulkRead(spans: readonly ServoSpan[]): Packet {
  return packet(BROADCAST_ID, 'bulk_read', bulkParams(spans));
}

/** Like bulkRead, with one status for all servos. */
export function fastBulkRead(spans: readonly ServoSpan[]): Packet {
  return packet(BROADCAST_ID, 'fast_bulk_read', bulkParams(spans));
}

/** Writes at a different address of each servo, without a reply. */
export function bulkWrite(rows: readonly (ServoData & { readonly address: number })[]): Packet {
  const params = rows.flatMap(({ id, address, data }) => [
    id,
    ...littleEndian(address),
    ...littleEndian(data.length),
    ...Array.from(data),
  ]);
  return packet(BROADCAST_ID, 'bulk_write', params);
}
