import type { ComponentChildren } from 'preact';

interface FactProps {
  readonly name: string;
  readonly unit?: string;
  readonly children: ComponentChildren;
}

/** A named value. */
export function Fact({ name, unit, children }: FactProps) {
  return (
    <div class="fact">
      <dt>{name}</dt>
      <dd>
        {children}
        {unit && <span class="unit">{unit}</span>}
      </dd>
    </div>
  );
}
