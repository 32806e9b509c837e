import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Icon } from '../../ui/drawn-icon.tsx';
import { preferences } from '../../ui/preferences.ts';

interface PanelFrameProps {
  readonly name: string;
  /** At the end of its heading. */
  readonly end?: ComponentChildren;
  readonly inert?: boolean;
  readonly children: ComponentChildren;
}

/** A panel under its heading. */
export function Panel({ name, end, inert = false, children }: PanelFrameProps) {
  return (
    <section class="panel" aria-label={name} inert={inert}>
      <header class="section-head">
        <h2>{name}</h2>
        {end}
      </header>
      {children}
    </section>
  );
}

/** A panel that folds away under its name; whether it is open is kept. */
export function Section(props: PanelFrameProps) {
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
