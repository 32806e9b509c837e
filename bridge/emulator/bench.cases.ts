/** A test's hand on emulated servos: packets in, answers out, time in steps. */
import { SteppedBusClock } from '../transport/stepped-clock.cases.ts';
import type { RegisterName } from './control-table.ts';
import { FrameCollector, frameBytes } from './framing.ts';
import { type EmulatorOptions, ServoEmulator } from './servo-emulator.ts';

export const EVERYBODY = 254;

/** An emulator and a hand to write its registers with. */
export function bench(options: Partial<EmulatorOptions> = {}) {
  const clock = new SteppedBusClock();
  const emulator = new ServoEmulator({ clock, ...options });
  const said: number[][] = [];
  const receive = emulator.attach((bytes) => said.push([...bytes]));
  const ask = (id: number, ...body: number[]) => {
    said.length = 0;
    receive(Uint8Array.from(frameBytes(id, body)));
    return said
      .flatMap((bytes) => new FrameCollector().take(bytes))
      .filter(({ sound }) => sound)
      .map(({ id: from, payload }) => ({
        id: from,
        error: payload[0],
        data: payload.slice(1),
      }));
  };
  const put = (id: number, name: RegisterName, value: number) => {
    const { address, size } = emulator.servo(id).memory.table[name];
    const data = Array.from({ length: size }, (_, i) => (value >> (8 * i)) & 0xff);
    return ask(id, 3, address, 0, ...data)[0]?.error;
  };
  const get = (id: number, name: RegisterName) => {
    const { address, size } = emulator.servo(id).memory.table[name];
    ask(id, 2, address, 0, size, 0);
    return emulator.servo(id).memory.get(name);
  };
  const pass = (ms: number) => {
    clock.advance(ms);
    emulator.catchUp();
  };
  return { clock, emulator, ask, put, get, pass, said };
}
