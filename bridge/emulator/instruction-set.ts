/**
 * What each instruction makes the servos on a line do and say: a table from code to action. Frames
 * are framing.ts, the rules of one servo emulated-servo.ts.
 */
import type { EmulatedServo } from './emulated-servo.ts';
import { type FastPart, type Frame, fastStatusBytes, statusBytes } from './framing.ts';

const EVERYBODY = 0xfe;

/** The servos that hear the line, and how the missing ones spoil a common answer. */
export interface Bus {
  readonly servos: readonly EmulatedServo[];
  /** True: servos behind a missing one stay silent in common reads, as on a cut chain. */
  readonly chainBreaks: boolean;
}

type Says = number[][];
/** Answers a frame to one servo: its error and data. */
type Single = (servo: EmulatedServo, payload: readonly number[]) => readonly [number, number[]];
type Common = (bus: Bus, payload: readonly number[]) => Says;

function wordAt(payload: readonly number[], at: number): number {
  return (payload[at] ?? 0) + 256 * (payload[at + 1] ?? 0);
}

function readOf(servo: EmulatedServo, address: number, length: number): [number, number[]] {
  const data = servo.read(address, length);
  return data ? [0, [...data]] : [7, []];
}

const CLEAR_KEY = '1,68,88,76,34';
const BACKUP_KEY = '67,84,82,76';

const SINGLE: Readonly<Record<number, Single>> = {
  1: (servo) => {
    const [low, high] = servo.read(0, 2)!;
    return [0, [low!, high!, servo.memory.get('firmware')]];
  },
  2: (servo, payload) => readOf(servo, wordAt(payload, 0), wordAt(payload, 2)),
  3: (servo, payload) => [servo.write(wordAt(payload, 0), payload.slice(2)), []],
  4: (servo, payload) => [servo.register(wordAt(payload, 0), payload.slice(2)), []],
  5: (servo) => [servo.act(), []],
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

const COMMON: Readonly<Record<number, Common>> = {
  130: (bus, payload) => {
    const [address, length] = [wordAt(payload, 0), wordAt(payload, 2)];
    return inTurn(
      bus,
      payload.slice(4).map((id) => ({ id, address, length })),
    );
  },
  131: (bus, payload) => {
    const [address, length] = [wordAt(payload, 0), wordAt(payload, 2)];
    for (let at = 4; at + length < payload.length; at += 1 + length) {
      const data = payload.slice(at + 1, at + 1 + length);
      for (const servo of obeying(bus, payload[at]!)) servo.write(address, data);
    }
    return [];
  },
  138: (bus, payload) => {
    const [address, length] = [wordAt(payload, 0), wordAt(payload, 2)];
    return together(
      bus,
      payload.slice(4).map((id) => ({ id, address, length })),
    );
  },
  146: (bus, payload) => inTurn(bus, spansOf(payload)),
  147: (bus, payload) => {
    for (let at = 0; at + 5 <= payload.length; ) {
      const length = wordAt(payload, at + 3);
      const data = payload.slice(at + 5, at + 5 + length);
      for (const servo of obeying(bus, payload[at]!)) servo.write(wordAt(payload, at + 1), data);
      at += 5 + length;
    }
    return [];
  },
  154: (bus, payload) => together(bus, spansOf(payload)),
};

interface Asked {
  readonly id: number;
  readonly address: number;
  readonly length: number;
}

function spansOf(payload: readonly number[]): Asked[] {
  return Array.from({ length: Math.floor(payload.length / 5) }, (_, i) => ({
    id: payload[5 * i]!,
    address: wordAt(payload, 5 * i + 1),
    length: wordAt(payload, 5 * i + 3),
  }));
}

function obeying({ servos }: Bus, id: number): EmulatedServo[] {
  return servos.filter((servo) => servo.present && servo.obeys(id));
}

/** Statuses of all who have `id`: two of them on one line spoil each other's bits. */
function spoken(bus: Bus, id: number, say: (servo: EmulatedServo) => number[]): Says {
  const voices = bus.servos.filter((servo) => servo.present && servo.id === id).map(say);
  const [first, ...others] = voices;
  if (!first) return [];
  const longest = Math.max(...voices.map((voice) => voice.length));
  const bit = (voice: readonly number[], i: number) => voice[i] ?? 0xff;
  const mixed = Array.from({ length: longest }, (_, i) =>
    // An idle line reads as ones: whoever pulls it down wins.
    others.reduce((byte, voice) => byte & bit(voice, i), bit(first, i)),
  );
  return [mixed];
}

/** One status after the other, in the order asked. */
function inTurn(bus: Bus, asked: readonly Asked[]): Says {
  const says: Says = [];
  for (const { id, address, length } of asked) {
    const said = spoken(bus, id, (servo) => {
      const [error, data] = readOf(servo, address, length);
      return statusBytes(id, error | servo.alert, data);
    });
    if (said.length === 0 && bus.chainBreaks) return says;
    says.push(...said);
  }
  return says;
}

/** All in one status; it ends where somebody is missing. */
function together(bus: Bus, asked: readonly Asked[]): Says {
  const parts = asked.map(({ id, address, length }): FastPart | null => {
    const servo = bus.servos.find((one) => one.present && one.id === id && one.canReadFast);
    if (!servo) return null;
    const [error, data] = readOf(servo, address, length);
    return { id, error: error | servo.alert, data };
  });
  if (parts[0] === null || parts[0] === undefined) return [];
  return [
    fastStatusBytes(
      parts,
      asked.map(({ length }) => length),
    ),
  ];
}

const ANSWERED_BY_LEVEL: Readonly<Record<number, readonly number[]>> = { 0: [1], 1: [1, 2] };

function answers(servo: EmulatedServo, code: number): boolean {
  return ANSWERED_BY_LEVEL[servo.memory.get('status_level')]?.includes(code) ?? true;
}

function single(bus: Bus, { id, code, payload }: Frame): Says {
  const act = SINGLE[code];
  // A reboot in the action must not keep the answer back.
  const hearing = obeying(bus, id);
  const said = new Map<EmulatedServo, number[]>();
  for (const servo of hearing) {
    const level = answers(servo, code);
    const [error, data] = act ? act(servo, payload) : [2, []];
    if (level && servo.id === id) said.set(servo, statusBytes(id, error | servo.alert, data));
  }
  const voices = { servos: [...said.keys()], chainBreaks: false };
  if (said.size === 1) return [...said.values()];
  return spoken(voices, id, (servo) => said.get(servo)!);
}

/** Everybody does it; only a ping is answered, in the order of ids. */
function broadcast(bus: Bus, { code, payload }: Frame): Says {
  const present = bus.servos.filter((servo) => servo.present);
  if (code === 1) {
    const ids = [...new Set(present.map(({ id }) => id))].sort((a, b) => a - b);
    return ids.flatMap((id) => single(bus, { id, code, payload, sound: true }));
  }
  if (code === 2 || (code === 6 && payload[0] === 0xff)) return [];
  for (const servo of present) SINGLE[code]?.(servo, payload);
  return [];
}

/** Does what a frame says; answers what is said on the line, one packet after the other. */
export function obey(bus: Bus, frame: Frame): Says {
  if (!frame.sound) return [];
  const common = COMMON[frame.code];
  if (common) return frame.id === EVERYBODY ? common(bus, frame.payload) : [];
  return frame.id === EVERYBODY ? broadcast(bus, frame) : single(bus, frame);
}
