import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';

/** The parts of a view as signals. */
type ShownParts<View> = { readonly [Name in keyof View]: ReadonlySignal<View[Name]> };

/** A view of something that changes, as one value: views are replaced, never modified. */
export class ViewStore<View extends object> {
  private readonly state: Signal<View>;
  /** The parts: what reads one runs again when that changes, and not with the whole view. */
  readonly shown: ShownParts<View>;

  constructor(first: View) {
    this.state = signal(first);
    const parts = (Object.keys(first) as (keyof View)[]).map((name) => [
      name,
      computed(() => this.state.value[name]),
    ]);
    this.shown = Object.fromEntries(parts);
  }

  /** The whole view, which changes with each of its parts. */
  get whole(): ReadonlySignal<View> {
    return this.state;
  }

  /** The view now; what calls this does not follow it. */
  view(): View {
    return this.state.peek();
  }

  set(patch: Partial<View>): void {
    this.state.value = { ...this.state.peek(), ...patch };
  }
}

/** Calls back when a signal has changed, with what it says and what it said before. */
export function onChange<Value>(
  source: ReadonlySignal<Value>,
  changed: (now: Value, before: Value) => void,
): void {
  let last = source.peek();
  source.subscribe((now) => {
    const before = last;
    last = now;
    if (now !== before) changed(now, before);
  });
}

/** Resolves with what signals say, once that is known: not undefined. */
export function whenKnown<Value>(read: () => Value | undefined): Promise<Value> {
  return new Promise((resolve) => {
    effect(function () {
      const value = read();
      if (value === undefined) return;
      this.dispose();
      resolve(value);
    });
  });
}
