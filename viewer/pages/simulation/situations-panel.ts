/** Named situations, such as a jammed gripper: those that the twin lists, each a button. */
import type { Situation } from '../../../contract/types.generated.ts';
import { heading } from '../../shell/heading.ts';
import { button, element } from '../../ui/element.ts';
import { readableName } from './schema-form.ts';
import type { SimulationContext, SimulationPanel } from './simulation-panel.ts';

/** What a button says below the name: why the situation cannot begin, else what it does. */
export function situationText({ does, hindrance }: Situation): string {
  return hindrance === null ? does : `Not possible now. ${hindrance}`;
}

/** Reads faults and obstacles at once, so that the other panels follow without waiting for a poll. */
async function refreshView({ calls }: SimulationContext): Promise<void> {
  const faults = await calls.query((client) => client.listFaults());
  const world = await calls.query((client) => client.listObstacles());
  if (faults) calls.patchView({ faults: faults.faults });
  if (world) calls.patchView({ obstacles: world.obstacles });
}

/** The panel of situations. */
export function createSituationsPanel(context: SimulationContext): SimulationPanel {
  const { calls } = context;
  const list = element('div', { class: 'situations' });
  let shown = '';
  const refresh = async (): Promise<void> => {
    const reply = await calls.query((client) => client.listSituations());
    const key = JSON.stringify(reply?.situations ?? []);
    if (!reply || key === shown) return;
    shown = key;
    list.replaceChildren(...reply.situations.map(row));
  };
  const toggle = async ({ name, active }: Situation): Promise<void> => {
    if (active) await calls.run((client) => client.endSituation({ situation_name: name }));
    else await calls.run((client) => client.beginSituation({ name }));
    await Promise.all([refresh(), refreshView(context)]);
  };
  const row = (situation: Situation): HTMLElement => {
    const { name, active, possible } = situation;
    return button(
      { class: 'situation', 'aria-pressed': String(active), disabled: !possible },
      () => void toggle(situation),
      element('span', { class: 'situation-name' }, readableName(name)),
      element('span', { class: 'sub wrap' }, situationText(situation)),
      element('span', { class: 'situation-act' }, active ? 'End' : 'Start'),
    );
  };
  const panel = element(
    'section',
    { class: 'panel', 'aria-label': 'Situations' },
    heading('Situations').element,
    list,
  );
  return { element: panel, update: () => undefined, refresh };
}
