import { useComputed } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { reuseIfEqual } from '../link/reuse-if-equal.ts';

/** What signals say; a component draws again only when it says something else. */
export function useUnchanged<Value>(compute: () => Value): Value {
  const last = useRef<Value | undefined>(undefined);
  return useComputed(() => {
    const now = compute();
    last.current = last.current === undefined ? now : reuseIfEqual(last.current, now);
    return last.current;
  }).value;
}
