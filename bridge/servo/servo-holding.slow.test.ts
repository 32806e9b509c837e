/** 50 restarts, resets and recoveries, and a minute of guiding mode, on factory gains. */
import { describe, vi } from 'vitest';
import { CURRENT_BASED } from './servo-arm.cases.ts';
import { holdingCases } from './servo-holding.cases.ts';

vi.setConfig({ testTimeout: 120_000 });
const LONG = { times: 50, guided_s: 60, settling: 500 };
holdingCases(LONG);

describe('in current-based position mode', () => {
  holdingCases({ ...LONG, families: [CURRENT_BASED] });
});
