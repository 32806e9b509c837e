/**
 * Emulates a bus of Feetech STS servos with an arm, as seen from the wire. Packets are FF FF, id,
 * length, instruction or error, data and checksum, after the vendor's protocol manual; the framing
 * shares no code with the driver's.
 */
import { DRIVE } from '../../physics/arm/arm-model.ts';
import type { ReceiveBytes } from '../transport/transport.ts';
import {
  ArmEmulator,
  type EmulatedArmOptions,
  GEAR_FRICTION_N_M,
  pairServos,
} from './servo-emulator.ts';
import { StsServo, type StsSetup } from './sts-servo.ts';

export interface StsEmulatorOptions extends EmulatedArmOptions {
  readonly servos?: readonly StsSetup[];
  /** Baud code of the bus; servos set to another one receive nothing. */
  readonly line_baud?: number;
}

/** Six servos with ids 1 to 6, as they leave the factory. */
export const STS_SERVOS: readonly StsSetup[] = DRIVE.torque_max_n_m.map((_, joint) => ({
  id: joint + 1,
  joint,
}));

/** Phase as delivered, with the bit for reversed feedback. */
const REVERSED_PHASE = 0x8c;
/** The same with two servos on shoulder and elbow: 12 and 13 are mounted in reverse. */
export const PAIRED_STS_SERVOS: readonly StsSetup[] = pairServos(STS_SERVOS, {
  phase: REVERSED_PHASE,
});

const BROADCAST_ID = 0xfe;
const LENGTH_MAX = 250;

interface StsFrame {
  readonly id: number;
  readonly code: number;
  readonly payload: readonly number[];
}

function checksumOf(bytes: readonly number[]): number {
  return ~bytes.reduce((sum, byte) => sum + byte, 0) & 0xff;
}

/** A packet: an instruction to a servo, or the status of one with its error in place of it. */
export function stsBytes(id: number, code: number, payload: readonly number[] = []): number[] {
  const inside = [id, payload.length + 2, code, ...payload];
  return [0xff, 0xff, ...inside, checksumOf(inside)];
}

/** Collects received bytes into frames; those with a wrong checksum are ignored. */
export class StsFrames {
  private waiting: number[] = [];

  take(bytes: Iterable<number>): StsFrame[] {
    this.waiting.push(...bytes);
    const frames: StsFrame[] = [];
    while (this.waiting.length >= 4) {
      const [first, second, id, length] = this.waiting;
      const fits = length! >= 2 && length! <= LENGTH_MAX && id !== 0xff;
      if (first !== 0xff || second !== 0xff || !fits) {
        this.waiting.shift();
        continue;
      }
      if (this.waiting.length < 4 + length!) break;
      const inside = this.waiting.slice(2, 3 + length!);
      const valid = checksumOf(inside) === this.waiting[3 + length!];
      this.waiting.splice(0, valid ? 4 + length! : 1);
      const [, , code, ...payload] = inside;
      if (valid) frames.push({ id: id!, code: code!, payload });
    }
    return frames;
  }
}

interface StsStatus {
  readonly id: number;
  readonly bytes: readonly number[];
}

/** Statuses as they arrive: those of servos with one id come at once, and a zero of any wins. */
function onTheLine(statuses: readonly StsStatus[]): readonly (readonly number[])[] {
  const ids = [...new Set(statuses.map(({ id }) => id))];
  return ids.map((id) => {
    const senders = statuses.filter((one) => one.id === id).map(({ bytes }) => bytes);
    const longest = Math.max(...senders.map((bytes) => bytes.length));
    return Array.from({ length: longest }, (_, i) =>
      senders.reduce((mixed, bytes) => mixed & (bytes[i] ?? 0xff), 0xff),
    );
  });
}

/** The effect of an instruction on one servo; returns the data of its status, null for none. */
function execute(servo: StsServo, { code, payload }: StsFrame): readonly number[] | null {
  const [address = 0, ...data] = payload;
  if (code === 1) return [];
  if (code === 2) return servo.read(address, data[0] ?? 0);
  if (code === 3) servo.write(address, data);
  else if (code === 4) servo.registerWrite(address, data);
  else if (code === 5) servo.executeRegisteredWrite();
  else if (code === 8) servo.reboot();
  else if (code === 11) servo.calibrate();
  else return null;
  return servo.memory.get('response_level') === 0 ? null : [];
}

export class StsEmulator extends ArmEmulator<StsServo> {
  private readonly line_baud: number;

  constructor(options: StsEmulatorOptions) {
    const { servos = STS_SERVOS, line_baud = 0 } = options;
    super(options, (sensorsOf) =>
      servos.map((setup) => new StsServo(setup, sensorsOf(setup.joint))),
    );
    this.line_baud = line_baud;
    this.plant.dry_friction_n_m.set(GEAR_FRICTION_N_M);
  }

  attach(send: ReceiveBytes): ReceiveBytes {
    const frames = new StsFrames();
    return (bytes) => {
      this.catchUpToBytes();
      for (const frame of frames.take(bytes)) {
        const statuses = this.answers(frame).map(([servo, data]) => ({
          id: servo.id,
          bytes: stsBytes(servo.id, servo.status, data),
        }));
        for (const bytes of onTheLine(statuses)) send(Uint8Array.from(bytes));
      }
    };
  }

  /** The servos that answer a frame, with their data. */
  private answers(frame: StsFrame): (readonly [StsServo, readonly number[]])[] {
    const { id, code, payload } = frame;
    const present = this.servos.filter(
      (servo) => servo.present && servo.memory.get('baud') === this.line_baud,
    );
    if (code === 0x83) {
      const [address = 0, length = 0, ...rows] = payload;
      for (let at = 0; at + length < rows.length; at += 1 + length) {
        const addressed = present.filter((servo) => servo.id === rows[at]);
        const data = rows.slice(at + 1, at + 1 + length);
        for (const servo of addressed) servo.write(address, data);
      }
      return [];
    }
    if (code === 0x82) return this.groupRead(present, payload);
    const addressed = present.filter((servo) => id === BROADCAST_ID || servo.id === id);
    const replies = addressed.flatMap((servo) => {
      const data = execute(servo, frame);
      return data === null ? [] : [[servo, data] as const];
    });
    if (id === BROADCAST_ID && code !== 1) return [];
    return replies.sort(([one], [other]) => one.id - other.id);
  }

  private groupRead(present: readonly StsServo[], payload: readonly number[]) {
    const [address = 0, length = 0, ...ids] = payload;
    const replies: (readonly [StsServo, readonly number[]])[] = [];
    for (const id of ids) {
      const named = present.filter((one) => one.id === id);
      for (const servo of named) replies.push([servo, servo.read(address, length)]);
      if (named.length === 0 && this.chainBreaks) break;
    }
    return replies;
  }
}
