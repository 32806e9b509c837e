/**
 * Skipping of idle time: hours with lock, session and daily schedule give the same digest as every
 * tick simulated (D38).
 * @module-tag ci
 */
import { describe, expect, it } from 'vitest';
import { type RunningTwin, startTwin } from './app/app.ts';
import { TWIN_DEFAULTS } from './cli/config.ts';
import { ADA, thereAndBack } from './robot/robot-harness.cases.ts';

const MINUTES = 12;
const TICKS = (MINUTES * 60) / 0.004;

/** A lock that expires, a toolpath, and a schedule that runs it between minutes 10 and 11. */
function prepare({ loop, robot }: RunningTwin): void {
  loop.apply({ kind: 'lock', caller: ADA });
  loop.apply({ kind: 'load', caller: ADA, toolpath: thereAndBack() });
  const times = { start_time: '00:10:00', end_time: '00:10:30' };
  loop.apply({ kind: 'scheduler', caller: ADA, enabled: true, ...times });
  expect(robot.memory.schedule.enabled).toBe(true);
}

/** With a worn arm, whose deviations have to be skipped alike. */
async function digestOf(jump: boolean): Promise<{ digest: string; turns: number }> {
  const twin = await startTwin({ ...TWIN_DEFAULTS, realism: 'worn' });
  let turns = 0;
  twin.loop.subscribe({
    onTick: () => {
      turns += 1;
    },
  });
  prepare(twin);
  twin.loop.runTo(TICKS, { jump, stop: () => false });
  expect(twin.loop.tick).toBe(TICKS);
  const digest = twin.digest.value();
  await twin.close();
  return { digest, turns };
}

describe('the idle jump', () => {
  it('changes only the amount of work', async () => {
    const jumped = await digestOf(true);
    const worked = await digestOf(false);
    expect(jumped.digest).toBe(worked.digest);
    expect(jumped.turns).toBeLessThan(worked.turns / 10);
  });

  it('skips 48 hours with a scheduled run each day', async () => {
    const twin = await startTwin(TWIN_DEFAULTS);
    prepare(twin);
    let runs = 0;
    twin.loop.subscribe({
      onEvents(events) {
        for (const event of events) if (event.kind === 'log' && /\(run\)$/.test(event.text)) runs++;
      },
    });
    await twin.clock.advance((48 * 3600) / 0.004);
    expect(runs).toBe(2);
    expect(twin.robot.lockHolder).toBeNull();
    await twin.close();
  });
});
