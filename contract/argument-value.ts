/** A value of an argument, as callers without types may give it. */

export function isObject(value: unknown): value is object {
  return value !== null && typeof value === 'object';
}

/** The value for a message; never used for secrets. */
export function shownValue(value: unknown): string {
  return typeof value === 'string' ? `the string "${value}"` : String(value);
}
