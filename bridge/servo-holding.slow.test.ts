/** 50 restarts, resets and recoveries, and a minute of guiding mode, on factory gains. */
import { vi } from 'vitest';
import { holdingCases } from './servo-holding.cases.ts';

vi.setConfig({ testTimeout: 120_000 });
holdingCases(50, 60);
