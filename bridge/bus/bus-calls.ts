/**
 * Single questions to single servos, tried again when an answer is lost: what start, recovery,
 * calibration and the doctor are made of. The cycle does not use it: it drops a lost sample.
 */
import type { Bus } from './bus.ts';
import type { ServoReply } from './fast-status.ts';
import { BROADCAST_ID, HIGHEST_ID } from './instructions.ts';
import { bytesOf, numberOf, REGISTER, type RegisterName } from './registers.ts';
import * as request from './request.ts';

/** A servo as it answers a ping. */
export interface ServoIdentity {
  readonly id: number;
  readonly model: number;
  readonly firmware: number;
}

const TRIES = 3;
/** Who may ask again is in no hurry: a gateway that is busy for a moment is waited for (ms). */
const PATIENCE_MS = 40;
const PING_LENGTH = 3;
const SCAN_MS = 250;

async function first(
  bus: Bus,
  transaction: Parameters<Bus['ask']>[0],
  tries = TRIES,
): Promise<ServoReply | null> {
  const patience_ms = tries > 1 ? PATIENCE_MS : 0;
  for (let i = 0; i < tries; i++) {
    const [reply] = await bus.ask({ ...transaction, patience_ms });
    if (reply) return reply;
  }
  return null;
}

/** Model and firmware of a servo, or null when it does not answer. */
export async function pingServo(
  bus: Bus,
  id: number,
  tries = TRIES,
): Promise<ServoIdentity | null> {
  const asked = { packet: request.ping(id), ids: [id], length: PING_LENGTH };
  const reply = await first(bus, asked, tries);
  if (reply?.data.length !== PING_LENGTH) return null;
  return { id, model: reply.data[0]! + 256 * reply.data[1]!, firmware: reply.data[2]! };
}

/** Everybody on the line, asked at once; who shares an id spoils the answer of both. */
export async function scan(bus: Bus): Promise<readonly ServoIdentity[]> {
  const ids = Array.from({ length: HIGHEST_ID + 1 }, (_, id) => id);
  const packet = request.ping(BROADCAST_ID);
  const replies = await bus.ask({ packet, ids, length: PING_LENGTH, patience_ms: SCAN_MS });
  return replies.map(({ id, data }) => ({
    id,
    model: data[0]! + 256 * data[1]!,
    firmware: data[2]!,
  }));
}

/** The value of a register, or null when the servo does not answer or refuses. */
export async function readRegister(
  bus: Bus,
  id: number,
  name: RegisterName,
): Promise<number | null> {
  const register = REGISTER[name];
  const asked = { packet: request.read(id, register), ids: [id], length: register.length };
  const reply = await first(bus, asked);
  return reply?.data.length === register.length ? numberOf(reply.data, 0, register) : null;
}

/** Writes a register; answers the servo's error number, or null when it does not answer. */
export async function writeRegister(
  bus: Bus,
  id: number,
  [name, value]: readonly [RegisterName, number],
): Promise<number | null> {
  const { address } = REGISTER[name];
  const data = bytesOf(REGISTER[name], value);
  const packet = request.write(id, address, data);
  const reply = await first(bus, { packet, ids: [id], length: 0 });
  return reply ? reply.error & 0x7f : null;
}

/** Makes a servo start anew; it answers, and is silent until it is back. */
export async function rebootServo(bus: Bus, id: number): Promise<void> {
  await bus.ask({ packet: request.reboot(id), ids: [id], length: 0 });
}
