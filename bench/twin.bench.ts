/**
 * A twin inside a test: time until ready, time of a reset, cost of a minute of a toolpath through
 * the whole server, and memory of twenty twins. Goals: 300 ms, 50 ms, 300 ms, 400 MB.
 */

import { sampleToolpath } from '../conformance/samples/sample-toolpath.ts';
import type { Joints } from '../contract/types.generated.ts';
import { openTwinFixture } from '../testing/index.ts';

const ROUNDS = 9;
const MINUTE_S = 60;
const POSES: readonly Joints[] = [
  [0, 0.5, -1.7, 0, -1.2, 0],
  [0.6, 0.3, -1.5, 0.2, -1.2, 0.1],
];

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

/** Processor time of the process (ms), independent of other load. */
async function worked(work: () => Promise<unknown>): Promise<number> {
  const began = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

const fixture = await openTwinFixture();
const { arm, twin } = fixture;
await arm.takeLock();
const starts = [];
for (let i = 0; i < ROUNDS; i++) {
  let other = fixture;
  starts.push(await timed(async () => (other = await openTwinFixture())));
  await other.close();
}
console.log(`createTwin to ready: ${median(starts).toFixed(0)} ms, median of ${ROUNDS}`);

const resets = [];
for (let i = 0; i < ROUNDS; i++) {
  await arm.createToolpath({ name: 'one', toolpath: sampleToolpath(POSES) });
  await arm.goTo({ mode: 'automatic', joints: [0.1, 0, 0, 0, 0, 0] });
  await twin.advance(0.5);
  resets.push(await timed(() => arm.resetTwin({})));
  await arm.takeLock();
}
console.log(`reset over HTTP: ${median(resets).toFixed(1)} ms, median of ${ROUNDS}`);

for (const listening of [false, true]) {
  await arm.resetTwin({});
  await arm.takeLock();
  await arm.useUnsavedToolpath({ toolpath: sampleToolpath(POSES) });
  if (listening) await fixture.listen();
  const minutes: number[] = [];
  const work: number[] = [];
  await arm.run({ mode: 'automatic', loop: 0 });
  for (let i = 0; i < ROUNDS; i++) {
    const minute = () => fixture.advance(MINUTE_S);
    work.push(await worked(async () => minutes.push(await timed(minute))));
  }
  const client = listening ? 'one stream client' : 'no stream client';
  const cost_ms = median(minutes);
  const factor = ((MINUTE_S * 1000) / cost_ms).toFixed(0);
  const own = median(work).toFixed(0);
  console.log(
    `60 s of a run, ${client}: ${cost_ms.toFixed(0)} ms, processor ${own} ms (× ${factor})`,
  );
}

const before = process.memoryUsage().rss;
const many = await Promise.all(Array.from({ length: 20 }, () => openTwinFixture()));
const after = process.memoryUsage().rss;
const mb = (bytes: number) => (bytes / 1024 / 1024).toFixed(0);
console.log(`20 more twins: ${mb(after - before)} MB, process ${mb(after)} MB`);
for (const one of [fixture, ...many]) await one.close();
