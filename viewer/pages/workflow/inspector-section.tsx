/** What the inspector of the Workflow page is made of. */
import type { ComponentChildren } from 'preact';
import { Fact } from '../../ui/fact.tsx';

interface SectionProps {
  readonly title: string;
  /** At the end of its heading. */
  readonly end?: string;
  readonly children: ComponentChildren;
}

export function Section({ title, end, children }: SectionProps) {
  return (
    <section class="panel">
      <header class="section-head">
        <h2>{title}</h2>
        <span class="age" />
        <span class="end">{end}</span>
      </header>
      {children}
    </section>
  );
}

/** Names with their values. */
export function Facts({
  of,
}: {
  readonly of: readonly (readonly [name: string, value: string])[];
}) {
  return (
    <dl>
      {of.map(([name, value], i) => (
        <Fact key={i} name={name}>
          <bdi>{value}</bdi>
        </Fact>
      ))}
    </dl>
  );
}

/** A list of sentences. */
export function Sentences({ of }: { readonly of: readonly string[] }) {
  return (
    <ul>
      {of.map((text, i) => (
        <li key={i}>
          <bdi>{text}</bdi>
        </li>
      ))}
    </ul>
  );
}
