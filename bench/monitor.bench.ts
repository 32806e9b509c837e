/**
 * Cost of the invariant monitor: processor time of a tick of the fast plant in motion with a second
 * monitor, relative to one monitor, alternating in one run. Goal: 3 % without and with a subscriber
 * of the stream, whose changes the monitor compares with the snapshot.
 */
import { type RunningTwin, startTwin } from '../server/app/app.ts';
import type { RobotAssembly } from '../server/app/robot-assembly.ts';
import { TWIN_DEFAULTS } from '../server/cli/config.ts';
import { InvariantMonitor } from '../server/robot/invariant-monitor.ts';
import { ADA, thereAndBack } from '../server/robot/robot-harness.cases.ts';

const ROUNDS = 41;
const TICKS = 10_000;
const WARM_UP_TICKS = 50_000;

/** Processor time of one tick (µs). */
async function tick_us({ clock }: RunningTwin): Promise<number> {
  const start = process.cpuUsage();
  await clock.advance(TICKS);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / TICKS;
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

async function measure(isSubscribed: boolean): Promise<void> {
  const twin = (await startTwin({ ...TWIN_DEFAULTS, driver: 'fast' })) as RunningTwin &
    Pick<RobotAssembly, 'hub'>;
  const { loop, robot } = twin;
  loop.apply({ kind: 'lock', caller: ADA });
  loop.apply({ kind: 'load', caller: ADA, toolpath: thereAndBack() });
  const refusal = loop.apply({ kind: 'run', caller: ADA, mode: 'automatic', loop: 0 });
  if (refusal) throw new Error(`the run was rejected: ${refusal.refused}`);
  robot.trackChanges(isSubscribed);
  const { feedback } = robot.source;
  const create = () => new InvariantMonitor({ robot, feedback, onViolation: () => {} });
  const warmUp = loop.subscribe(create());
  await twin.clock.advance(WARM_UP_TICKS);
  warmUp();
  const one: number[] = [];
  const two: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    one.push(await tick_us(twin));
    const unsubscribe = loop.subscribe(create());
    two.push(await tick_us(twin));
    unsubscribe();
  }
  const ratios = two.map((value, round) => value / one[round]!);
  const cost = 100 * (median(ratios) - 1);
  const name = isSubscribed ? 'changes tracked' : 'no subscriber';
  console.log(
    `monitor, ${name}: ${cost.toFixed(1)} % of a tick of ${median(one).toFixed(2)} µs ` +
      `(median of ${ROUNDS} pairs)`,
  );
  await twin.close();
}

await measure(false);
await measure(true);
