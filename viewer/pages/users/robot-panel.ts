import type { ArmStore } from '../../link/arm-store.ts';
import { element, setText } from '../../ui/element.ts';
import { paceText } from '../../ui/value-text.ts';

const IN_MEMORY =
  'In memory: what is saved is gone when the twin stops. Start it with --data ./arm to keep it.';

/** The panel of the robot: name (set by the server's --name option), driver and clock. */
export function createRobotPanel(store: ArmStore): HTMLElement {
  const name = element('bdi', { class: 'strong' });
  const driver = element('dd');
  const clock = element('dd');
  const data = element('dd', {}, IN_MEMORY);
  const inMemory = element('div', { class: 'fact', hidden: true }, element('dt', {}, 'Data'), data);
  const facts = element(
    'dl',
    {},
    element('div', { class: 'fact' }, element('dt', {}, 'Driver'), driver),
    element('div', { class: 'fact' }, element('dt', {}, 'Clock'), clock),
    inMemory,
  );
  store.subscribe((view) => {
    setText(name, view.name);
    setText(driver, view.driver ?? 'unknown');
    setText(clock, view.clock === null ? 'unknown' : paceText(view.clock));
    inMemory.hidden = !view.isInMemory;
  });
  return element(
    'section',
    { class: 'users-panel', 'aria-labelledby': 'users-robot' },
    element('h2', { id: 'users-robot' }, 'Robot'),
    element('p', { class: 'profile-line' }, name),
    facts,
    element(
      'p',
      { class: 'empty' },
      'Set the name when the server starts: ',
      element('code', {}, '--name'),
      ' or ',
      element('code', {}, 'ARMTWIN_NAME'),
      '.',
    ),
  );
}
