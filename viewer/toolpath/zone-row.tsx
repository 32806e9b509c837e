import type { AvoidanceZone } from '../../contract/types.generated.ts';

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
