/** The robot itself: its name and what stands behind the page. */
import type { ArmStore } from '../link/arm-store.ts';
import { element, setText } from '../panels/element.ts';

/** The panel; the name is the server's to give, so it says where. */
export function createRobotPanel(store: ArmStore): HTMLElement {
  const name = element('bdi', { class: 'strong' });
  const driver = element('dd');
  const clock = element('dd');
  const facts = element(
    'dl',
    {},
    element('div', { class: 'fact' }, element('dt', {}, 'Driver'), driver),
    element('div', { class: 'fact' }, element('dt', {}, 'Clock'), clock),
  );
  store.subscribe((view) => {
    setText(name, view.name);
    setText(driver, view.driver ?? 'not told');
    setText(clock, view.clock ?? 'not told');
  });
  return element(
    'section',
    { class: 'people-panel', 'aria-labelledby': 'people-robot' },
    element('h2', { id: 'people-robot' }, 'Robot'),
    element('p', { class: 'profile-line' }, name),
    facts,
    element(
      'p',
      { class: 'empty' },
      'The name is set where the server starts: ',
      element('code', {}, '--name'),
      ' or ',
      element('code', {}, 'ARMTWIN_NAME'),
      '.',
    ),
  );
}
