/**
 * Requests to single DYNAMIXEL servos, retried when a reply is lost: the basis of start, recovery,
 * calibration and diagnostics. The control cycle does not use them; it drops a lost sample.
 */
import type { Bus } from '../servo/bus/bus.ts';
import type { RegisterSpan } from '../servo/bus/register-data.ts';
import * as request from './instructions.ts';
import { BROADCAST_ID, HIGHEST_ID } from './instructions.ts';
import { decodeValue, encodeValue, REGISTER, type RegisterName } from './registers.ts';

/** The reply of a servo to a ping. */
export interface ServoIdentity {
  readonly id: number;
  readonly model: number;
  readonly firmware: number;
}

const PING_LENGTH = 3;
const SCAN_MS = 250;

/** Model and firmware of a servo, or null when it does not reply. */
export async function pingServo(
  bus: Bus,
  id: number,
  tries?: number,
): Promise<ServoIdentity | null> {
  const transaction = { packet: request.ping(id), ids: [id], length: PING_LENGTH };
  const reply = await bus.requestOne(() => transaction, tries);
  if (reply?.data.length !== PING_LENGTH) return null;
  return { id, model: reply.data[0]! + 256 * reply.data[1]!, firmware: reply.data[2]! };
}

/** Scans the bus with a broadcast ping; servos with the same id corrupt each other's reply. */
export async function scanServos(bus: Bus): Promise<readonly ServoIdentity[]> {
  const ids = Array.from({ length: HIGHEST_ID + 1 }, (_, id) => id);
  const packet = request.ping(BROADCAST_ID);
  const scan = { packet, ids, length: PING_LENGTH, extra_wait_ms: SCAN_MS, open: true } as const;
  const replies = await bus.request(scan);
  return replies.map(({ id, data }) => ({
    id,
    model: data[0]! + 256 * data[1]!,
    firmware: data[2]!,
  }));
}

/** The value of a register, or null when the servo does not reply or rejects the read. */
export async function readRegister(
  bus: Bus,
  id: number,
  name: RegisterName,
): Promise<number | null> {
  const values = await readRegisters(bus, id, [name]);
  return values?.[0] ?? null;
}

/**
 * The values of registers at one moment, or null. A status does not say what it answers: the length
 * of each read is another one, so that no late or repeated reply of another read is taken for it.
 */
export async function readRegisters(
  bus: Bus,
  id: number,
  names: readonly RegisterName[],
): Promise<number[] | null> {
  const registers = names.map((name) => REGISTER[name]);
  const first = Math.min(...registers.map(({ address }) => address));
  const end = Math.max(...registers.map(({ address, length }) => address + length));
  const ask = async (spanOf: () => RegisterSpan) => {
    let from = first;
    const reply = await bus.requestOne(() => {
      const span = spanOf();
      from = span.address;
      return { packet: request.read(id, span), ids: [id], length: span.length };
    });
    const has = reply !== null && reply.data.length >= end - from;
    const values = has
      ? registers.map((one) => decodeValue(reply.data, one.address - from, one))
      : null;
    return { rejected: reply !== null && !has, values };
  };
  const { rejected, values } = await ask(() => {
    const length = bus.readLength(end - first);
    return { address: Math.max(0, end - length), length };
  });
  if (!rejected) return values;
  // A servo may reject a span with undefined addresses in it.
  return (await ask(() => ({ address: first, length: end - first }))).values;
}

/** Writes a register; returns the error number of the servo, or null without a reply. */
export async function writeRegister(
  bus: Bus,
  id: number,
  [name, value]: readonly [RegisterName, number],
): Promise<number | null> {
  const { address } = REGISTER[name];
  const data = encodeValue(REGISTER[name], value);
  const packet = request.write(id, address, data);
  const reply = await bus.requestOne(() => ({ packet, ids: [id], length: 0 }));
  return reply ? reply.error & 0x7f : null;
}

/** What a write that was read back has come to: its error, and the value in the servo. */
export interface WriteOutcome {
  readonly error: number | null;
  readonly found: number | null;
}

/** Writes of a register whose reply turns out to be that of another write. */
const WRITES = 3;

/** Writes a register and reads it back: the status of a write does not say what it answers. */
export async function writeAndReadBack(
  bus: Bus,
  id: number,
  setting: readonly [RegisterName, number],
): Promise<WriteOutcome> {
  let outcome: WriteOutcome = { error: null, found: null };
  for (let i = 0; i < WRITES; i++) {
    const error = await writeRegister(bus, id, setting);
    const found = error === null ? null : await readRegister(bus, id, setting[0]);
    outcome = { error, found };
    if (error === null || found === null || found === setting[1]) return outcome;
  }
  return outcome;
}

/** Reboots a servo; it replies, and is silent until it is ready again. */
export async function rebootServo(bus: Bus, id: number): Promise<void> {
  await bus.request({ packet: request.reboot(id), ids: [id], length: 0 });
}
