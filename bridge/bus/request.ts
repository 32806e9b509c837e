/**
 * What each instruction carries, as packets ready to be encoded: one function an instruction. Apart
 * from the codec because these know registers and ids, and nothing of bytes on a line.
 */
import type { Packet } from './codec.ts';
import { BROADCAST_ID, INSTRUCTION } from './instructions.ts';

/** A stretch of the control table. */
export interface Span {
  readonly address: number;
  readonly length: number;
}

/** A span of one servo, for bulk reads. */
export interface ServoSpan extends Span {
  readonly id: number;
}

/** Bytes for one servo. */
export interface ServoData {
  readonly id: number;
  readonly data: ArrayLike<number>;
}

type Instruction = keyof typeof INSTRUCTION;

function packet(id: number, name: Instruction, params: readonly number[] = []): Packet {
  return { id, instruction: INSTRUCTION[name], params: Uint8Array.from(params) };
}

function word(value: number): [number, number] {
  return [value & 0xff, (value >> 8) & 0xff];
}

function spanParams({ address, length }: Span): number[] {
  return [...word(address), ...word(length)];
}

/** Asks for model and firmware; with BROADCAST_ID of everybody. */
export function ping(id: number): Packet {
  return packet(id, 'ping');
}

/** Asks for a span of one servo. */
export function read(id: number, span: Span): Packet {
  return packet(id, 'read', spanParams(span));
}

/** Writes bytes from an address on; the servo answers with its error. */
export function write(id: number, address: number, data: ArrayLike<number>): Packet {
  return packet(id, 'write', [...word(address), ...Array.from(data)]);
}

/** A write that waits for `action`. */
export function regWrite(id: number, address: number, data: ArrayLike<number>): Packet {
  return packet(id, 'reg_write', [...word(address), ...Array.from(data)]);
}

/** Does the write that `regWrite` left. */
export function action(id: number): Packet {
  return packet(id, 'action');
}

const RESET_SCOPE = { all: 0xff, all_but_id: 0x01, all_but_id_and_baud: 0x02 } as const;

/** Puts the registers back to the factory's and reboots. */
export function factoryReset(id: number, scope: keyof typeof RESET_SCOPE): Packet {
  return packet(id, 'factory_reset', [RESET_SCOPE[scope]]);
}

/** Starts a servo anew; its torque is off afterwards. */
export function reboot(id: number): Packet {
  return packet(id, 'reboot');
}

/** Takes a multi-turn position back into one turn; the key guards against chance. */
export function clearTurns(id: number): Packet {
  return packet(id, 'clear', [0x01, 0x44, 0x58, 0x4c, 0x22]);
}

/** Stores the control table in the servo, or takes the stored one back and reboots. */
export function backup(id: number, what: 'store' | 'restore'): Packet {
  const code = what === 'store' ? 0x01 : 0x02;
  return packet(id, 'control_table_backup', [code, 0x43, 0x54, 0x52, 0x4c]);
}

/** One span of many servos; each answers with a status of its own, in this order. */
export function syncRead(ids: readonly number[], span: Span): Packet {
  return packet(BROADCAST_ID, 'sync_read', [...spanParams(span), ...ids]);
}

/** As syncRead, answered by one joined status (fast-status.ts). */
export function fastSyncRead(ids: readonly number[], span: Span): Packet {
  return packet(BROADCAST_ID, 'fast_sync_read', [...spanParams(span), ...ids]);
}

/** The same stretch of many servos; nobody answers. */
export function syncWrite(span: Span, rows: readonly ServoData[]): Packet {
  const data = rows.flatMap((row) => [row.id, ...Array.from(row.data)]);
  return packet(BROADCAST_ID, 'sync_write', [...spanParams(span), ...data]);
}

function bulkParams(spans: readonly ServoSpan[]): number[] {
  return spans.flatMap((span) => [span.id, ...spanParams(span)]);
}

/** A span of its own for each servo, each id once. */
export function bulkRead(spans: readonly ServoSpan[]): Packet {
  return packet(BROADCAST_ID, 'bulk_read', bulkParams(spans));
}

/** As bulkRead, answered by one joined status. */
export function fastBulkRead(spans: readonly ServoSpan[]): Packet {
  return packet(BROADCAST_ID, 'fast_bulk_read', bulkParams(spans));
}

/** Bytes at an address of its own for each servo; nobody answers. */
export function bulkWrite(rows: readonly (ServoData & { readonly address: number })[]): Packet {
  const params = rows.flatMap(({ id, address, data }) => [
    id,
    ...word(address),
    ...word(data.length),
    ...Array.from(data),
  ]);
  return packet(BROADCAST_ID, 'bulk_write', params);
}
