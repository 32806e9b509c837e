/**
 * The Users page: profile, API tokens and password of the signed-in user, all users, updates, and
 * the robot. It hides what the user's role does not allow. Loaded as its own chunk.
 */
import type { ArmStore } from '../link/arm-store.ts';
import { element, setText } from '../panels/element.ts';
import { createProfilePanel } from '../users/profile-panel.ts';
import { createTokensPanel } from '../users/tokens-panel.ts';
import { createUpdatesPanel } from '../users/updates-panel.ts';
import { createUsersPanel } from '../users/users-panel.ts';
import { UsersStore } from '../users/users-store.ts';
import { loadStyles, type Page, type PageParts } from './page.ts';

const STYLES = [
  new URL('../styles/forms.css', import.meta.url),
  new URL('../styles/users.css', import.meta.url),
];

/** The panel of the robot: name (set by the server's --name option), driver and clock. */
function createRobotPanel(store: ArmStore): HTMLElement {
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
    setText(driver, view.driver ?? 'unknown');
    setText(clock, view.clock ?? 'unknown');
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

/** Builds the page into the frame; it stays hidden until `enter`. */
export async function createUsersPage({
  store: arm,
  calls,
  commands,
  frame,
}: PageParts): Promise<Page> {
  await loadStyles(STYLES);
  const users = new UsersStore(arm, calls);
  const wide = [createTokensPanel(users), createUsersPanel(users)];
  const narrow = [
    createProfilePanel(users),
    createUpdatesPanel({ users, arm, commands }),
    createRobotPanel(arm),
  ];
  frame.append(
    element(
      'main',
      { class: 'users', 'aria-label': 'Users' },
      element('div', { class: 'users-wide' }, ...wide),
      element('div', { class: 'users-narrow' }, ...narrow),
    ),
  );
  let shown = false;
  arm.subscribe((view, before) => {
    if (view.link === 'signed-out') users.clear();
    const changed = view.usersRevision !== before.usersRevision || view.user_id !== before.user_id;
    const reconnected = view.link === 'live' && before.link !== 'live';
    if (shown && view.link === 'live' && (changed || reconnected)) void users.refresh();
  });
  return {
    enter() {
      shown = true;
      arm.set({});
      void users.refresh();
    },
    leave() {
      shown = false;
    },
  };
}
