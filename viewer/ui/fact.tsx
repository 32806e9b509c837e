import type { ComponentChildren } from 'preact';

interface FactProps {
  readonly name: string;
  readonly unit?: string;
  readonly title?: string | undefined;
  readonly hidden?: boolean;
  readonly children: ComponentChildren;
}

/** A named value in a list of such. */
export function Fact({ name, unit, title, hidden = false, children }: FactProps) {
  return (
    <div class="fact" hidden={hidden}>
      <dt>{name}</dt>
      <dd title={title}>
        {children}
        {unit && <span class="unit">{unit}</span>}
      </dd>
    </div>
  );
}
