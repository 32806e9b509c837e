/** The twin time from a pause to its answer, over many go_to motions with many speeds (D29). */
import { expect, it } from 'vitest';
import { connect } from '../contract/client.ts';
import type { Joints } from '../contract/types.generated.ts';
import { JOINT_MAX_RAD, JOINT_MIN_RAD } from '../physics/arm/arm-model.ts';
import { createPrng } from '../physics/math/prng.ts';
import { createTwin } from './index.ts';

const PAUSES = 300;
const MOST_S = 0.4;
const SEED = 11;

it('is at most 0.4 s for 300 pauses at random times of random motions', async () => {
  const twin = await createTwin({ clock: 'stepped' });
  const arm = connect({ baseUrl: twin.url, token: twin.token });
  const draw = createPrng(SEED);
  const durations_s: number[] = [];
  await arm.takeLock();
  while (durations_s.length < PAUSES) {
    const share = () => 0.15 + 0.7 * draw();
    const joints = Array.from(JOINT_MIN_RAD, (low, j) => {
      return low + share() * (JOINT_MAX_RAD[j]! - low);
    }) as Joints;
    const max_speed = 0.1 + 1.4 * draw();
    await arm.renewLock();
    const isAccepted = await arm.goTo({ mode: 'automatic', joints, max_speed }).then(
      () => true,
      () => false,
    );
    if (!isAccepted) continue;
    await twin.advance(0.05 + 1.5 * draw());
    if ((await arm.getSnapshot()).snapshot.control.state !== 'running') continue;
    const before = await arm.getClock();
    await arm.pause();
    const after = await arm.getClock();
    const { state } = (await arm.getSnapshot()).snapshot.control;
    durations_s.push(after.now_s - before.now_s);
    if (state === 'paused') await arm.cancel();
  }
  await twin.close();
  durations_s.sort((a, b) => a - b);
  const at = (part: number) => durations_s[Math.ceil(part * PAUSES) - 1]!.toFixed(3);
  const seen = `p50 ${at(0.5)} s, p99 ${at(0.99)} s, longest ${at(1)} s`;
  expect(durations_s.at(-1), seen).toBeLessThanOrEqual(MOST_S);
});
