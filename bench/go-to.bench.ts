/**
 * Time until a go_to is accepted over HTTP on Rapier, including the checks of limits,
 * self-collision and ten zones, and the state at the time of the reply. Goals: p99 20 ms,
 * `running`.
 */

import { readFileSync } from 'node:fs';
import { ArmError } from '../contract/client.ts';
import type { AvoidanceZone, Joints, Toolpath } from '../contract/types.generated.ts';
import { createPrng } from '../physics/math/prng.ts';
import { randomPose } from '../physics/motion/poses.cases.ts';
import { openTwinFixture } from '../testing/index.ts';

const ROUNDS = 300;
const WARM_UP_ROUNDS = 30;
const SEED = 7;
const MOVE_LIMIT_S = 60;
const SORTER = new URL('../fixtures/toolpaths/sorter.json', import.meta.url);

/** Eight small posts around the arm, at the limit of its reach. */
const POSTS = Array.from({ length: 8 }, (_, index): AvoidanceZone => {
  const turn = (index * Math.PI) / 4;
  return {
    name: `Post ${index + 1}`,
    position: { x: 0.55 * Math.cos(turn), y: 0.55 * Math.sin(turn), z: 0 },
    orientation: { w: 1, x: 0, y: 0, z: 0 },
    dimensions: { x: 0.03, y: 0.03, z: 0.3 },
    avoid: 'inside',
  };
});

const toolpath = JSON.parse(readFileSync(SORTER, 'utf8')) as Toolpath;
const zones = [...(toolpath.metadata.avoidance_zones ?? []), ...POSTS];
toolpath.metadata.avoidance_zones = zones;
// Without the tool the moves are checked for the flange alone, and the tool would touch the floor.
const { tcp_config } = toolpath.metadata;
const tool = tcp_config ? { tcp_config } : {};
const { arm, twin, close } = await openTwinFixture({ driver: 'rapier' });
await arm.takeLock();
await arm.useUnsavedToolpath({ toolpath });

const random = createPrng(SEED);
const accepted_ms: number[] = [];
let rejected = 0;
let running = 0;
while (accepted_ms.length < WARM_UP_ROUNDS + ROUNDS) {
  const [j0, j1, j2, j3, j4, j5] = randomPose(random);
  const joints: Joints = [j0!, j1!, j2!, j3!, j4!, j5!];
  const began_ms = performance.now();
  try {
    await arm.goTo({ mode: 'automatic', joints, ...tool });
  } catch (reason) {
    if (!(reason instanceof ArmError)) throw reason;
    rejected += 1;
    continue;
  }
  accepted_ms.push(performance.now() - began_ms);
  // The clock is stepped: no tick has passed since the reply.
  const { state } = (await arm.getSnapshot()).snapshot.control;
  if (state === 'running') running += 1;
  await twin.until('ready', MOVE_LIMIT_S);
}
const sorted = accepted_ms.slice(WARM_UP_ROUNDS).sort((a, b) => a - b);
const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]!.toFixed(1);
console.log(
  `go_to accepted (${ROUNDS}, ${zones.length} zones, rapier): ` +
    `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms; ` +
    `running at the reply ${running} of ${accepted_ms.length}; ${rejected} rejected`,
);
await close();
