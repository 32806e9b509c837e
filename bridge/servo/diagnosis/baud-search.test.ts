/** The search for the baud rate of servos that do not answer. */

import { describe, expect, it } from 'vitest';
import { FAMILIES } from '../../servo-families.ts';
import { createMemoryTransport } from '../../transport/memory-transport.ts';
import { SteppedBusClock } from '../../transport/stepped-clock.cases.ts';
import { Bus } from '../bus/bus.ts';
import { createEmulator } from '../emulator/create-emulator.ts';
import { diagnoseAtEveryBaud } from './baud-search.ts';

describe.each(FAMILIES)('$name servos that are set to another baud rate', (family) => {
  /** Diagnoses servos that answer at one rate only; null: at none. */
  async function searched(actual: number | null) {
    const clock = new SteppedBusClock();
    const emulator = createEmulator(family, clock);
    const tried: number[] = [];
    const diagnoseAt = async (baud: number) => {
      tried.push(baud);
      const silent = { attach: () => () => {} };
      const line = createMemoryTransport(baud === actual ? emulator : silent);
      const bus = new Bus(line, clock, { baud, format: family.format });
      await bus.open();
      return family.diagnose(bus, clock, { calibration: null });
    };
    const found = await clock.until(diagnoseAtEveryBaud(1_000_000, family.bauds, diagnoseAt));
    return { tried, found };
  }

  it('are found at each that they can be set to, and nothing is corrected', async () => {
    for (const baud of family.bauds.filter((one) => one !== 1_000_000)) {
      const { found } = await searched(baud);
      expect(found.problems[0]).toMatch(new RegExp(`^The servos use ${baud} baud, not 1000000: `));
      expect([found.servos.length, found.fixes]).toEqual([6, []]);
    }
  });

  it('are sought at every one, each once', async () => {
    const { tried, found } = await searched(null);
    expect(tried.toSorted((a, b) => a - b)).toEqual(family.bauds.toSorted((a, b) => a - b));
    expect(found.problems[0]).toMatch(/^No servo answers/);
  });
});
