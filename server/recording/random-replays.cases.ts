/**
 * Random calls to a twin while it records, and the replay of the recording: it has the same bits.
 * Motions in the mode teach are slow enough for the noise of a worn arm. Test code.
 */
import { TICK_S } from '../../bridge/arm-driver.ts';
import { FaultInjectingDriver } from '../../bridge/fault-injecting-driver.ts';
import { createSimulatedArm } from '../../bridge/simulated/simulated-arm.ts';
import { withTwinClient } from '../service/simulation/twin-client.cases.ts';
import { ACCEPTED, callOne, DECK, Draw } from './random-calls.cases.ts';
import { parseRecording } from './recording-format.ts';
import { replayRecording } from './replay.ts';

const CALLS = 40;

/** Plays a round; returns the result of its replay, and how many calls were accepted. */
export async function playAndReplay(seed: number, plant: 'fast' | 'rapier') {
  const draw = new Draw(seed);
  const realism = draw.one(['ideal', 'worn'] as const);
  const options = { driver: plant, noise_seed: seed, realism };
  const { tape, accepted } = await withTwinClient(options, async ({ arm, twin }) => {
    let accepted = 0;
    await arm.takeLock();
    await twin.advance(draw.whole(300) * TICK_S);
    await arm.startRecording();
    for (let i = 0; i < CALLS; i++) {
      if ((await callOne(arm, DECK, draw)) === ACCEPTED) accepted += 1;
      if (draw.next() < 0.8) await twin.advance(draw.whole(500) * TICK_S);
    }
    await arm.stopRecording();
    return { tape: (await arm.getTape()).tape, accepted };
  });
  const arm = createSimulatedArm({ plant });
  const driver = new FaultInjectingDriver(arm);
  const result = await replayRecording(parseRecording(tape), { driver, world: arm.world });
  return { ...result, accepted };
}
