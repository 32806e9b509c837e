/** Emulates a bus of Feetech STS servos with an arm, as seen from the wire. */
import {
  ArmEmulator,
  type EmulatedArmOptions,
  GEAR_FRICTION_N_M,
} from '../../servo/emulator/arm-emulator.ts';
import type { ReceiveBytes } from '../../transport/transport.ts';
import { StsServo } from './emulated-servo.ts';
import { type StsFrame, StsFrames, stsBytes } from './framing.ts';
import { STS_SERVOS, type StsSetup } from './servo-setup.ts';

export interface StsEmulatorOptions extends EmulatedArmOptions {
  readonly servos?: readonly StsSetup[];
  /** Baud code of the bus; servos set to another one receive nothing. */
  readonly line_baud?: number;
}

const BROADCAST_ID = 0xfe;

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
