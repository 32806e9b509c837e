/** Sleeps of the pacer at very slow paces. */
import { expect, it } from 'vitest';
import { type ClockedLoop, Pacer, type WallClock } from './clock.ts';

const cancel = () => {};

it.each([
  [1, 4],
  [0.5, 8],
  [1e-3, 4000],
  [1e-150, 60_000],
])('sleeps at a pace of %d for %d ms', (factor, nap_ms) => {
  const naps: number[] = [];
  const wall: WallClock = {
    now_ms: () => 0,
    epoch_ms: () => 0,
    after(delay_ms) {
      naps.push(delay_ms);
      return cancel;
    },
    afterUnreferenced: () => cancel,
    soon: () => cancel,
  };
  const loop: ClockedLoop = {
    tick: 0,
    idle: true,
    halted: false,
    runTo: () => expect.fail('nothing is due'),
  };
  new Pacer({ kind: 'scaled', factor }, wall).start(loop);
  expect(naps).toEqual([nap_ms]);
});
