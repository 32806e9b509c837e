import type { ComponentChildren } from 'preact';

interface PanelProps {
  /** Names the heading in the document. */
  readonly id: string;
  readonly heading: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A panel of the Users page. */
export function Panel({ id, heading, children }: PanelProps) {
  return (
    <section class="users-panel" aria-labelledby={id}>
      <h2 id={id}>{heading}</h2>
      {children}
    </section>
  );
}
