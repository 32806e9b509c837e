/** Returns `before` if the values are equal, so that nothing is drawn again. */
export function reuseIfEqual<Value>(before: Value, now: Value): Value {
  return JSON.stringify(before) === JSON.stringify(now) ? before : now;
}
