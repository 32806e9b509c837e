/**
 * The Users page: profile, API tokens and password of the signed-in user, all users, what they use,
 * updates, and the robot. It hides what the user's role does not allow. Loaded as its own chunk.
 */
import type { Page, PageParts } from '../../shell/page.ts';
import { element } from '../../ui/element.ts';
import { loadStyles } from '../../ui/style-sheets.ts';
import { createProfilePanel } from './profile-panel.ts';
import { createRobotPanel } from './robot-panel.ts';
import { createTokensPanel } from './tokens-panel.ts';
import { createUpdatesPanel } from './updates-panel.ts';
import { createUsagePanel } from './usage-panel.ts';
import { createUsersPanel } from './users-panel.ts';
import { UsersStore } from './users-store.ts';

/** How often the lists are read again (ms). */
const REFRESH_MS = 5000;

const STYLES = [
  new URL('../../styles/forms.css', import.meta.url),
  new URL('../../styles/users.css', import.meta.url),
];

/** Builds the page into the frame; it stays hidden until `enter`. */
export async function createUsersPage({
  store: arm,
  calls,
  commands,
  frame,
}: PageParts): Promise<Page> {
  await loadStyles(STYLES);
  const users = new UsersStore(arm, calls);
  const wide = [createTokensPanel(users), createUsersPanel(users), createUsagePanel(users)];
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
  // Programs and other users make tokens and users, too; a row with the focus is not replaced.
  setInterval(() => {
    const isUsed = document.activeElement?.closest('.users-table') ?? false;
    const isDue = shown && !document.hidden && !isUsed && arm.view().link === 'live';
    if (isDue) void users.refresh({ onlyChanges: true });
  }, REFRESH_MS);
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
