/** Texts update at most this often: digits that change faster are unreadable. */
const TEXT_MS = 250;

/**
 * Whether the time has entered a new period since the last call. Texts of all panels change in the
 * same frames, also with periods that are multiples: each such frame costs a layout.
 */
export function createPeriod(period_ms = TEXT_MS): (now_ms: number) => boolean {
  let last = Number.NEGATIVE_INFINITY;
  return (now_ms) => {
    const period = Math.floor(now_ms / period_ms);
    const isNew = period !== last;
    last = period;
    return isNew;
  };
}
