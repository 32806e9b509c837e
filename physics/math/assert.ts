/**
 * Assertion for programmer errors that also runs in browsers. Invalid data is reported as a Result
 * value instead.
 */

/** Throws when an invariant of the code is broken. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`);
}
