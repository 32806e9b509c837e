/** How a zone stands in a list: a sample of how it is drawn, its name, its kind in words. */
import type { AvoidanceZone } from '../../contract/types.ts';
import { element } from '../panels/element.ts';

/** The elements of a row. */
export function zoneWords({ name, avoid }: AvoidanceZone): readonly HTMLElement[] {
  const kind = avoid === 'inside' ? 'out' : 'in';
  return [
    element('span', { class: `zone-sample zone-${kind}` }),
    element('span', { class: 'zone-name' }, name),
    element('span', { class: 'zone-kind' }, `keep ${kind}`),
  ];
}
