import { type ReadonlySignal, signal } from '@preact/signals';

/** Text changes at most this often (ms): digits that change faster are unreadable. */
const REFRESH_MS = 50;

/** A value that changes with every frame, for text: at once after a pause, else not in every frame. */
export function steady<Value>(
  source: ReadonlySignal<Value>,
  refresh_ms = REFRESH_MS,
): ReadonlySignal<Value> {
  const shown = signal(source.peek());
  let isPausing = false;
  function show(): void {
    isPausing = shown.peek() !== source.peek();
    if (!isPausing) return;
    shown.value = source.peek();
    setTimeout(show, refresh_ms);
  }
  source.subscribe(() => {
    if (!isPausing) show();
  });
  return shown;
}
