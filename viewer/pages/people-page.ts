/**
 * The People page: the signed-in user with tokens and password, all users, updates, the robot. What
 * a role does not allow is not shown. It comes in a chunk of its own.
 */
import { element } from '../panels/element.ts';
import { PeopleStore } from '../people/people-store.ts';
import { createProfilePanel } from '../people/profile-panel.ts';
import { createRobotPanel } from '../people/robot-panel.ts';
import { createTokensPanel } from '../people/tokens-panel.ts';
import { createUpdatesPanel } from '../people/updates-panel.ts';
import { createUsersPanel } from '../people/users-panel.ts';
import { loadStyles, type Page, type PageParts } from './page.ts';

const STYLES = [
  new URL('../styles/forms.css', import.meta.url),
  new URL('../styles/people.css', import.meta.url),
];

/** Builds the page into the frame; nothing shows before `enter`. */
export async function createPeoplePage({
  store: arm,
  calls,
  commands,
  frame,
}: PageParts): Promise<Page> {
  await loadStyles(STYLES);
  const people = new PeopleStore(arm, calls);
  const wide = [createTokensPanel(people), createUsersPanel(people)];
  const narrow = [
    createProfilePanel(people),
    createUpdatesPanel({ people, arm, commands }),
    createRobotPanel(arm),
  ];
  frame.append(
    element(
      'main',
      { class: 'people', 'aria-label': 'People' },
      element('div', { class: 'people-wide' }, ...wide),
      element('div', { class: 'people-narrow' }, ...narrow),
    ),
  );
  let here = false;
  arm.subscribe((view, before) => {
    if (view.link === 'signed-out') people.clear();
    const news = view.userNews !== before.userNews || view.user_id !== before.user_id;
    const back = view.link === 'live' && before.link !== 'live';
    if (here && view.link === 'live' && (news || back)) void people.refresh();
  });
  return {
    enter() {
      here = true;
      arm.set({});
      void people.refresh();
    },
    leave() {
      here = false;
    },
  };
}
