/** What a shutdown waits for keeps the process alive until it has ended. */
import { describe, expect, it } from 'vitest';
import { delay, systemBusClock } from '../bridge/transport/bus-clock.ts';
import { limitShutdownTime } from './shutdown.ts';

/** Timers that keep this process alive. */
function keptTimers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
}

describe('a process that shuts down', () => {
  it('stays alive while the stop of an arm waits on the clock of its bus', async () => {
    const before = keptTimers();
    const waiting = delay(systemBusClock, 20);
    expect(keptTimers()).toBe(before + 1);
    await waiting;
  });

  it('stays alive until the time limit, whatever else it waits for', () => {
    const before = keptTimers();
    const cancel = limitShutdownTime();
    expect(keptTimers()).toBe(before + 1);
    cancel();
  });
});
