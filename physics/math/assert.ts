/**
 * Assertion for programmer errors, without node's own module, because physics runs in browsers
 * too. Faults of data are Result values, never this.
 */

/** Throws when a promise between functions is broken. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`broken promise: ${message}`);
}
