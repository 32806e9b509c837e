/** A restored snapshot continues as the original, in some situations; the slow tests have all. */
import { restoredRunCases } from './restored-runs.cases.ts';

/** Noise, a collision, a push without end, an emergency stop, a pause. */
const SEEDS = [0, 2, 4, 6, 7];

restoredRunCases(SEEDS, 2);
