import { useSignal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import { Button } from '../../ui/buttons.tsx';

/** Tabs of the narrow layout, which shows one panel at a time. */
const TABS = [
  ['joints', 'Joints'],
  ['io', 'I/O'],
  ['plots', 'Plots'],
  ['events', 'Events'],
  ['tool', 'Run'],
] as const;

/** Tab buttons that set `data-tab` on the page; the style sheet shows the matching panels. */
export function Tabs({ page }: { readonly page: HTMLElement }) {
  const selected = useSignal<string>('joints');
  useLayoutEffect(() => {
    page.dataset['tab'] = selected.value;
  }, [selected.value]);
  return (
    <div class="tabs" role="tablist">
      {TABS.map(([key, label]) => (
        <Button
          key={key}
          class="tab"
          role="tab"
          data-for={key}
          aria-selected={key === selected.value}
          onClick={() => {
            selected.value = key;
          }}
        >
          {label}
        </Button>
      ))}
    </div>
  );
}
