/** 50 restarts, resets and recoveries, and a minute of guiding mode, on factory gains. */
import { describe, vi } from 'vitest';
import { CURRENT_BASED } from './servo-arm.cases.ts';
import { holdingCases } from './servo-holding.cases.ts';

vi.setConfig({ testTimeout: 120_000 });
holdingCases(50, 60);

describe('in current-based position mode', () => {
  holdingCases(50, 60, [CURRENT_BASED]);
});
