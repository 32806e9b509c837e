import type { AvoidanceZone } from '../../contract/types.generated.ts';
import { element } from '../ui/element.ts';

/** Elements of a zone's row: sample of its drawing, name, kind. */
export function zoneRow({ name, avoid }: AvoidanceZone): readonly HTMLElement[] {
  const kind = avoid === 'inside' ? 'out' : 'in';
  return [
    element('span', { class: `zone-sample zone-${kind}` }),
    element('span', { class: 'zone-name' }, name),
    element('span', { class: 'zone-kind' }, `keep ${kind}`),
  ];
}
