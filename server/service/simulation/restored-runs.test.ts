/**
 * A restored snapshot continues as the original, in some situations; the slow tests have all.
 * @module-tag ci
 */
import { restoredRunCases } from './restored-runs.cases.ts';

/** Noise, an emergency stop, a pause. */
const SEEDS = [0, 6, 7];

restoredRunCases(SEEDS, 2);
