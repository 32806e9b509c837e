/**
 * The instructions of the emulated bus: a table from instruction code to its effect on the servos
 * and their replies. framing.ts encodes packets; emulated-servo.ts holds the rules of one servo.
 */

import { EEPROM_END } from './control-table.ts';
import type { EmulatedServo } from './emulated-servo.ts';
import { type FastPart, type Frame, fastStatusBytes, statusBytes } from './framing.ts';

const BROADCAST_ID = 0xfe;

/** The servos that receive the packet, and the effect of missing ones on group reads. */
export interface EmulatedBus {
  readonly servos: readonly EmulatedServo[];
  /** True: servos after a missing one do not reply to group reads, as on a broken daisy chain. */
  readonly chainBreaks: boolean;
}

type Packets = number[][];
/** Executes a frame on one servo; returns error and data of its status. */
type UnicastHandler = (
  servo: EmulatedServo,
  payload: readonly number[],
) => readonly [number, number[]];
type GroupHandler = (bus: EmulatedBus, payload: readonly number[]) => Packets;

function wordAt(payload: readonly number[], at: number): number {
  return (payload[at] ?? 0) + 256 * (payload[at + 1] ?? 0);
}

function readOf(servo: EmulatedServo, address: number, length: number): [number, number[]] {
  const data = servo.read(address, length);
  return data ? [0, [...data]] : [7, []];
}

const CLEAR_KEY = '1,68,88,76,34';
const BACKUP_KEY = '67,84,82,76';

const UNICAST: Readonly<Record<number, UnicastHandler>> = {
  1: (servo) => {
    const [low, high] = servo.read(0, 2)!;
    return [0, [low!, high!, servo.memory.get('firmware')]];
  },
  2: (servo, payload) => readOf(servo, wordAt(payload, 0), wordAt(payload, 2)),
  3: (servo, payload) => [servo.write(wordAt(payload, 0), payload.slice(2)), []],
  4: (servo, payload) => [servo.registerWrite(wordAt(payload, 0), payload.slice(2)), []],
  5: (servo) => [servo.executeRegisteredWrite(), []],
  6: (servo, [scope]) => {
    if (scope === 0xff) servo.factoryReset([]);
    else if (scope === 1) servo.factoryReset(['id']);
    else if (scope === 2) servo.factoryReset(['id', 'baud']);
    else return [4, []];
    return [0, []];
  },
  8: (servo) => {
    servo.reboot();
    return [0, []];
  },
  16: (servo, payload) => [payload.join() === CLEAR_KEY ? servo.clearTurns() : 4, []],
  32: (servo, [what, ...key]) => {
    const known = key.join() === BACKUP_KEY && (what === 1 || what === 2);
    return [known ? servo.backup(what === 1) : 4, []];
  },
};

const GROUP: Readonly<Record<number, GroupHandler>> = {
  130: (bus, payload) => {
    const [address, length] = [wordAt(payload, 0), wordAt(payload, 2)];
    return replyInSequence(
      bus,
      payload.slice(4).map((id) => ({ id, address, length })),
    );
  },
  131: (bus, payload) => {
    const [address, length] = [wordAt(payload, 0), wordAt(payload, 2)];
    for (let at = 4; at + length < payload.length; at += 1 + length) {
      const data = payload.slice(at + 1, at + 1 + length);
      writeTo(bus, payload[at]!, { address, data });
    }
    return [];
  },
  138: (bus, payload) => {
    const [address, length] = [wordAt(payload, 0), wordAt(payload, 2)];
    return replyInOneStatus(
      bus,
      payload.slice(4).map((id) => ({ id, address, length })),
    );
  },
  146: (bus, payload) => replyInSequence(bus, spansOf(payload)),
  147: (bus, payload) => {
    for (let at = 0; at + 5 <= payload.length; ) {
      const length = wordAt(payload, at + 3);
      const data = payload.slice(at + 5, at + 5 + length);
      writeTo(bus, payload[at]!, { address: wordAt(payload, at + 1), data });
      at += 5 + length;
    }
    return [];
  },
  154: (bus, payload) => replyInOneStatus(bus, spansOf(payload)),
};

interface SpanRequest {
  readonly id: number;
  readonly address: number;
  readonly length: number;
}

function spansOf(payload: readonly number[]): SpanRequest[] {
  return Array.from({ length: Math.floor(payload.length / 5) }, (_, i) => ({
    id: payload[5 * i]!,
    address: wordAt(payload, 5 * i + 1),
    length: wordAt(payload, 5 * i + 3),
  }));
}

/** A write of a group instruction; a secondary id reaches RAM only. */
function writeTo(
  bus: EmulatedBus,
  id: number,
  { address, data }: { readonly address: number; readonly data: readonly number[] },
): void {
  for (const servo of addressedServos(bus, id)) {
    if (servo.id === id || address >= EEPROM_END) servo.write(address, data);
  }
}

/** Instructions that a servo executes for its secondary id: writes to RAM and their action. */
function reachesSecondary(code: number, payload: readonly number[]): boolean {
  if (code === 3 || code === 4) return wordAt(payload, 0) >= EEPROM_END;
  return code === 5;
}

function addressedServos({ servos }: EmulatedBus, id: number): EmulatedServo[] {
  return servos.filter((servo) => servo.present && servo.isAddressedBy(id));
}

/** The status of the servo with `id`; servos with the same id corrupt each other's bits. */
function collidingReplies(
  bus: EmulatedBus,
  id: number,
  statusOf: (servo: EmulatedServo) => number[],
): Packets {
  const senders = bus.servos.filter((servo) => servo.present && servo.id === id).map(statusOf);
  const [first, ...others] = senders;
  if (!first) return [];
  const longest = Math.max(...senders.map((status) => status.length));
  const bit = (status: readonly number[], i: number) => status[i] ?? 0xff;
  const mixed = Array.from({ length: longest }, (_, i) =>
    // An idle line reads as ones; a zero of any servo wins.
    others.reduce((byte, status) => byte & bit(status, i), bit(first, i)),
  );
  return [mixed];
}

/** One status after the other, in the order of the request. */
function replyInSequence(bus: EmulatedBus, requests: readonly SpanRequest[]): Packets {
  const replies: Packets = [];
  for (const { id, address, length } of requests) {
    const statuses = collidingReplies(bus, id, (servo) => {
      const [error, data] = readOf(servo, address, length);
      return statusBytes(id, error | servo.alert, data);
    });
    if (statuses.length === 0 && bus.chainBreaks) return replies;
    replies.push(...statuses);
  }
  return replies;
}

/** One status for all servos; it ends where a servo is missing. */
function replyInOneStatus(bus: EmulatedBus, requests: readonly SpanRequest[]): Packets {
  const parts = requests.map(({ id, address, length }): FastPart | null => {
    const servo = bus.servos.find((one) => one.present && one.id === id && one.canReadFast);
    if (!servo) return null;
    const [error, data] = readOf(servo, address, length);
    return { id, error: error | servo.alert, data };
  });
  if (parts[0] === null || parts[0] === undefined) return [];
  return [
    fastStatusBytes(
      parts,
      requests.map(({ length }) => length),
    ),
  ];
}

const ANSWERED_BY_LEVEL: Readonly<Record<number, readonly number[]>> = { 0: [1], 1: [1, 2] };

function repliesTo(servo: EmulatedServo, code: number): boolean {
  return ANSWERED_BY_LEVEL[servo.memory.get('status_level')]?.includes(code) ?? true;
}

function executeUnicast(bus: EmulatedBus, { id, code, payload }: Frame): Packets {
  const act = UNICAST[code];
  // Addressed servos are collected first, because a reboot must still be answered.
  const addressed = addressedServos(bus, id).filter(
    (servo) => servo.id === id || reachesSecondary(code, payload),
  );
  const statuses = new Map<EmulatedServo, number[]>();
  for (const servo of addressed) {
    const level = repliesTo(servo, code);
    const [error, data] = act ? act(servo, payload) : [2, []];
    if (level && servo.id === id) statuses.set(servo, statusBytes(id, error | servo.alert, data));
  }
  const senders = { servos: [...statuses.keys()], chainBreaks: false };
  if (statuses.size === 1) return [...statuses.values()];
  return collidingReplies(senders, id, (servo) => statuses.get(servo)!);
}

/** Executes on all servos; only a ping is answered, in the order of ids. */
function executeBroadcast(bus: EmulatedBus, { code, payload }: Frame): Packets {
  const present = bus.servos.filter((servo) => servo.present);
  if (code === 1) {
    const ids = [...new Set(present.map(({ id }) => id))].sort((a, b) => a - b);
    return ids.flatMap((id) => executeUnicast(bus, { id, code, payload, valid: true }));
  }
  if (code === 2 || (code === 6 && payload[0] === 0xff)) return [];
  for (const servo of present) UNICAST[code]?.(servo, payload);
  return [];
}

/** Executes a frame; returns the reply packets in order. */
export function executeInstruction(bus: EmulatedBus, frame: Frame): Packets {
  if (!frame.valid) return [];
  const common = GROUP[frame.code];
  if (common) return frame.id === BROADCAST_ID ? common(bus, frame.payload) : [];
  return frame.id === BROADCAST_ID ? executeBroadcast(bus, frame) : executeUnicast(bus, frame);
}
