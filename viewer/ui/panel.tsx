import type { ComponentChildren } from 'preact';

interface PanelProps {
  readonly name: string;
  /** What stands in its heading, if that is not its name. */
  readonly heading?: string;
  /** At the end of its heading. */
  readonly end?: ComponentChildren;
  readonly class?: string;
  readonly inert?: boolean;
  readonly hidden?: boolean;
  readonly children: ComponentChildren;
}

/** A panel under its heading. */
export function Panel({ name, heading = name, end, children, ...props }: PanelProps) {
  const { inert = false, hidden = false } = props;
  const names = ['panel', props.class].filter(Boolean).join(' ');
  return (
    <section class={names} aria-label={name} inert={inert} hidden={hidden}>
      <header class="section-head">
        <h2>{heading}</h2>
        {end}
      </header>
      {children}
    </section>
  );
}
