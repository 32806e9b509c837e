import { useSignal } from '@preact/signals';
import type { Bound } from './fields.tsx';

/** What is typed into a form and not sent yet. */
export interface Draft<Values extends object> {
  values(): Values;
  /** Binds a field to one of the values. */
  field<Name extends keyof Values>(name: Name): Bound<Values[Name]>;
  /** Puts all back to how they began. */
  clear(): void;
}

/** A draft that begins with these values; the component that uses it is drawn again with each. */
export function useDraft<Values extends object>(first: Values): Draft<Values> {
  const draft = useSignal(first);
  return {
    values: () => draft.value,
    field: (name) => ({
      value: draft.value[name],
      set: (value) => {
        draft.value = { ...draft.value, [name]: value };
      },
    }),
    clear: () => {
      draft.value = first;
    },
  };
}
