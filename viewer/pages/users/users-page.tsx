/**
 * The Users page: profile, API tokens and password of the signed-in user, all users, what they use,
 * updates, and the robot. It hides what the user's role does not allow. Loaded as its own chunk.
 */

import { computed, effect } from '@preact/signals';
import type { Page, PageParts } from '../../shell/page.ts';
import { createPageView } from '../../shell/page-view.ts';
import { mount } from '../../ui/mount.ts';
import { loadStyles } from '../../ui/style-sheets.ts';
import { ProfilePanel } from './profile-panel.tsx';
import { RobotPanel } from './robot-panel.tsx';
import { TokensPanel } from './tokens-panel.tsx';
import { UpdatesPanel } from './updates-panel.tsx';
import { UsagePanel } from './usage-panel.tsx';
import { UsersPanel } from './users-panel.tsx';
import { UsersState } from './users-state.ts';

/** How often the lists are read again (ms): programs and other users make tokens and users, too. */
const REFRESH_MS = 5000;

const STYLES = [
  new URL('../../styles/forms.css', import.meta.url),
  new URL('../../styles/users.css', import.meta.url),
];

/** Builds the page into the frame; it stays hidden until `enter`. */
export async function createUsersPage({ store, calls, commands, frame }: PageParts): Promise<Page> {
  await loadStyles(STYLES);
  const page = createPageView(store);
  const { arm, isShown } = page;
  const state = new UsersState(calls);
  mount(
    frame,
    <main class="users" aria-label="Users">
      <div class="users-wide">
        <TokensPanel state={state} />
        <UsersPanel state={state} />
        <UsagePanel state={state} />
      </div>
      <div class="users-narrow">
        <ProfilePanel state={state} />
        <UpdatesPanel state={state} arm={arm} commands={commands} />
        <RobotPanel arm={arm} />
      </div>
    </main>,
  );
  const { link, user_id, usersRevision } = store.shown;
  effect(() => {
    state.userId.value = user_id.value;
    if (link.value === 'signed-out') state.clear();
  });
  const isLive = computed(() => isShown.value && link.value === 'live');
  const refresh = () => isLive.value && !document.hidden && void state.refresh();
  computed(() => [isLive.value, user_id.value, usersRevision.value]).subscribe(refresh);
  setInterval(refresh, REFRESH_MS);
  return {
    enter: page.enter,
    leave: page.leave,
  };
}
