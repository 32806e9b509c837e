/** The view is stale after this time without a message or a snapshot reply. */
const STALE_AFTER_MS = 500;

/** Age of the newest message, not counting time in which the page is hidden. */
export interface Staleness {
  /** Records a message from the robot. */
  messageReceived(now_ms: number): void;
  /** Records that the page was hidden or shown. */
  setHidden(hidden: boolean, now_ms: number): void;
  /** Age of the newest message; infinite before the first. */
  age_ms(now_ms: number): number;
  isStale(now_ms: number): boolean;
  /**
   * Whether this check and the one before found it stale. One alone may come from long work of the
   * page, behind which messages wait.
   */
  check(now_ms: number): boolean;
}

/** Starts stale. Pure: time is an argument. */
export function createStaleness(): Staleness {
  let lastMessage_ms = Number.NEGATIVE_INFINITY;
  let hidden_ms: number | null = null;
  let wasStale = false;
  const age_ms = (now_ms: number) => (hidden_ms ?? now_ms) - lastMessage_ms;
  const isStale = (now_ms: number) => age_ms(now_ms) > STALE_AFTER_MS;
  return {
    messageReceived(now_ms) {
      lastMessage_ms = now_ms;
      if (hidden_ms !== null) hidden_ms = now_ms;
    },
    setHidden(hidden, now_ms) {
      if (hidden) hidden_ms ??= now_ms;
      else if (hidden_ms !== null) {
        lastMessage_ms += now_ms - hidden_ms;
        hidden_ms = null;
      }
    },
    age_ms,
    isStale,
    check(now_ms) {
      const isAgain = wasStale && isStale(now_ms);
      wasStale = isStale(now_ms);
      return isAgain;
    },
  };
}
