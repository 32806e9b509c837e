/** Requests to single STS servos, retried when an answer is lost. */

import type { Bus, Transaction } from '../servo/bus/bus.ts';
import { BROADCAST_ID, CODE, HIGHEST_ID, packet } from './instructions.ts';
import {
  STS_REGISTER,
  type StsRegister,
  type StsRegisterName,
  stsData,
  stsValue,
} from './registers.ts';

function transaction(id: number, instruction: number, params: readonly number[]): Transaction {
  const length = instruction === CODE.read ? params[1]! : 0;
  return { packet: packet(id, instruction, params), ids: [id], length };
}

/** Whether a servo answers. */
export async function pingSts(bus: Bus, id: number, tries?: number): Promise<boolean> {
  return (await bus.requestOne(() => transaction(id, CODE.ping, []), tries)) !== null;
}
/** Wait for the answers to a ping of all servos (ms). */
const SCAN_MS = 250;

/** Ids of all servos that answer. */
export async function scanSts(bus: Bus): Promise<readonly number[]> {
  const ids = Array.from({ length: HIGHEST_ID + 1 }, (_, id) => id);
  const ping = packet(BROADCAST_ID, CODE.ping, []);
  const scan = { packet: ping, ids, length: 0, extra_wait_ms: SCAN_MS, open: true } as const;
  const replies = await bus.request(scan);
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
