import type { AvoidanceZone } from '../../contract/types.generated.ts';
import { mounted } from '../ui/mount.ts';

/** What the row of a zone shows: sample of its drawing, name, kind. */
export function ZoneRow({ of: { name, avoid } }: { readonly of: AvoidanceZone }) {
  const kind = avoid === 'inside' ? 'out' : 'in';
  return (
    <>
      <span class={`zone-sample zone-${kind}`} />
      <span class="zone-name">{name}</span>
      <span class="zone-kind">keep {kind}</span>
    </>
  );
}

/** The same for a page that is not made of components. */
export function zoneRow(zone: AvoidanceZone): readonly HTMLElement[] {
  return [mounted(<ZoneRow of={zone} />)];
}
