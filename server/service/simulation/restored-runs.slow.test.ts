/** A restored snapshot continues as the original, at 20 instants of each situation. */
import { restoredRunCases, SITUATION_COUNT } from './restored-runs.cases.ts';

const COUNT = 20 * SITUATION_COUNT;

restoredRunCases(
  Array.from({ length: COUNT }, (_, i) => SITUATION_COUNT + i),
  4,
);
