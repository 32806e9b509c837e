import { useSignal } from '@preact/signals';
import type { ComponentProps } from 'preact';
import { Icon } from '../../ui/drawn-icon.tsx';
import { Panel } from '../../ui/panel.tsx';
import { preferences } from '../../ui/preferences.ts';

/** A panel that folds away under its name; whether it is open is kept. */
export function Section(props: ComponentProps<typeof Panel>) {
  const { name } = props;
  const isOpen = useSignal(preferences.read().openSections.includes(name));
  function keep(open: boolean): void {
    const others = preferences.read().openSections.filter((each) => each !== name);
    preferences.update({ openSections: open ? [...others, name] : others });
    isOpen.value = open;
  }
  return (
    <details
      class="simulation-section"
      open={isOpen}
      onToggle={(event) => keep(event.currentTarget.open)}
    >
      <summary>
        <Icon name="chevron" />
        {name}
      </summary>
      <Panel {...props} />
    </details>
  );
}
