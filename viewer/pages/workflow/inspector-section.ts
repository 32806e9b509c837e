import { element } from '../../ui/element.ts';

export function section(
  title: string,
  end: string,
  ...children: readonly (Node | string)[]
): HTMLElement {
  return element(
    'section',
    { class: 'panel' },
    element(
      'header',
      { class: 'section-head' },
      element('h2', {}, title),
      element('span', { class: 'age' }),
      element('span', { class: 'end' }, end),
    ),
    ...children,
  );
}

export function definitionList(rows: readonly (readonly [string, string])[]): HTMLElement {
  const items = rows.map(([name, value]) =>
    element(
      'div',
      { class: 'fact' },
      element('dt', {}, name),
      element('dd', {}, element('bdi', {}, value)),
    ),
  );
  return element('dl', {}, ...items);
}
