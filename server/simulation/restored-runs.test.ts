/** A restored snapshot continues as the original, in each situation once. */
import { restoredRunCases, SITUATION_COUNT } from './restored-runs.cases.ts';

restoredRunCases(
  Array.from({ length: SITUATION_COUNT }, (_, seed) => seed),
  2,
);
