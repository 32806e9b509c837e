/** Reset of the twin by scope. */

import { resolved, schemaOf } from '../../../contract/schemas.ts';
import type { ResetScope } from '../../../contract/types.generated.ts';
import { heading } from '../../shell/heading.ts';
import { button, element } from '../../ui/element.ts';
import { readableName } from './schema-form.ts';
import type { SimulationContext, SimulationPanel } from './simulation-panel.ts';

/** The panel that resets parts of the twin to their initial state. */
export function createResetPanel({ calls }: SimulationContext): SimulationPanel {
  const scopes = resolved(schemaOf('ResetScope')).enum as readonly ResetScope[];
  const boxes = scopes.map((scope) => {
    const box = element('input', { type: 'checkbox', checked: scope === 'state' });
    return {
      scope,
      box,
      element: element('label', { class: 'simulation-check' }, box, readableName(scope)),
    };
  });
  function reset(): void {
    const selected = boxes.filter(({ box }) => box.checked).map(({ scope }) => scope);
    if (selected.length > 0) void calls.run((client) => client.resetTwin({ scopes: selected }));
  }
  const panel = element(
    'section',
    { class: 'panel', 'aria-label': 'Reset' },
    heading('Reset').element,
    element('div', { class: 'simulation-checks' }, ...boxes.map((box) => box.element)),
    button({ class: 'plain' }, reset, 'Reset selected'),
  );
  return { element: panel, update: () => undefined };
}
