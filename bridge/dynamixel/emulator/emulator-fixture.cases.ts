/** Fixture: an emulator on a stepped clock, with functions to send packets and access registers. */

import { SteppedBusClock } from '../../transport/stepped-clock.cases.ts';
import type { TableRegister } from './control-table.ts';
import { FrameCollector, frameBytes } from './framing.ts';
import { type EmulatorOptions, ServoEmulator } from './servo-emulator.ts';

export const ALL_SERVOS = 254;

/** Creates an emulator and functions to send, write, read and advance. */
export function emulatorFixture(options: Partial<EmulatorOptions> = {}) {
  const clock = new SteppedBusClock();
  const emulator = new ServoEmulator({ clock, ...options });
  const replies: number[][] = [];
  const receive = emulator.attach((bytes) => replies.push([...bytes]));
  const send = (id: number, ...body: number[]) => {
    replies.length = 0;
    receive(Uint8Array.from(frameBytes(id, body)));
    return replies
      .flatMap((bytes) => new FrameCollector().take(bytes))
      .filter(({ valid: sound }) => sound)
      .map(({ id: from, payload }) => ({
        id: from,
        error: payload[0],
        data: payload.slice(1),
      }));
  };
  const write = (id: number, name: TableRegister, value: number) => {
    const { address, size } = emulator.servo(id).memory.table[name];
    const data = Array.from({ length: size }, (_, i) => (value >> (8 * i)) & 0xff);
    return send(id, 3, address, 0, ...data)[0]?.error;
  };
  const read = (id: number, name: TableRegister) => {
    const { address, size } = emulator.servo(id).memory.table[name];
    send(id, 2, address, 0, size, 0);
    return emulator.servo(id).memory.get(name);
  };
  const advance = (ms: number) => {
    clock.advance(ms);
    emulator.catchUp();
  };
  return { clock, emulator, send, write, read, advance, replies };
}
