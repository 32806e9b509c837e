/** Software updates, for admins: what there is, what changes, and how far an installation is. */
import { limits } from '../../contract/limits.ts';
import type { Update } from '../../contract/types.ts';
import type { ArmStore, ArmView } from '../link/arm-store.ts';
import type { Commands } from '../link/commands.ts';
import { button, element, setAttribute, setText } from '../panels/element.ts';
import { message } from '../panels/form.ts';
import type { PeopleStore } from './people-store.ts';

/** Share of an installation that is done after `passed_s` of the page's time; null: cannot tell. */
export function installedShare(clock: string | null, passed_s: number): number | null {
  const factor = clock === null ? 1 : Number(clock);
  if (!Number.isFinite(factor) || factor <= 0) return null;
  return Math.min((passed_s * factor) / limits.update_duration_s, 1);
}

function updateItem(update: Update, apply: (() => void) | null): HTMLElement {
  const act = apply
    ? [button({ class: 'plain small' }, apply, `Install ${update.version}`)]
    : [element('span', { class: 'sub' }, 'after the one before')];
  return element(
    'li',
    { class: 'update' },
    element('div', { class: 'update-head' }, element('b', {}, update.version), ...act),
    element(
      'ul',
      {},
      ...update.changelogs.map(({ version, content }) =>
        element('li', {}, element('span', { class: 'sub' }, version), ' ', content),
      ),
    ),
  );
}

/** The bar of an installation under way; shows itself while the robot says it is updating. */
function progress(store: ArmStore) {
  const words = element('p', { role: 'status' });
  const bar = element('progress', { max: '1', 'aria-label': 'Installation' });
  const box = element('div', { class: 'update-progress', hidden: true }, words, bar);
  let since_ms: number | null = null;
  let ticking: ReturnType<typeof setInterval> | undefined;
  function draw(): void {
    if (since_ms === null) return;
    const share = installedShare(store.view().clock, (performance.now() - since_ms) / 1000);
    if (share === null) bar.removeAttribute('value');
    else setAttribute(bar, 'value', share.toFixed(3));
    setText(words, 'Installing the update. The arm is still and comes back by itself.');
  }
  return {
    element: box,
    follow(view: ArmView): void {
      const now = view.snapshot?.control.state === 'updating';
      if (now === (since_ms !== null)) return;
      since_ms = now ? performance.now() : null;
      box.hidden = !now;
      clearInterval(ticking);
      if (now) ticking = setInterval(draw, 250);
      draw();
    },
  };
}

interface Parts {
  readonly people: PeopleStore;
  readonly arm: ArmStore;
  readonly commands: Commands;
}

/** The panel; shown to admins alone. */
export function createUpdatesPanel({ people, arm, commands }: Parts): HTMLElement {
  const said = message();
  const list = element('ul', { class: 'updates' });
  const installed = element('p', { class: 'sub' });
  const moving = progress(arm);
  const check = button({ class: 'plain' }, () => void ask(), 'Check for updates');
  async function ask(): Promise<void> {
    const problem = await people.checkUpdates();
    if (problem) return said.fail(problem);
    const none = people.view().updates?.length === 0;
    said.tell(none ? 'The software is up to date.' : '');
  }
  async function apply(version: string): Promise<void> {
    if (!(await commands.takeLock())) return said.fail(arm.view().notice?.text ?? null);
    const outcome = await people.ask((client) => client.applyUpdate({ version }));
    said.fail(outcome.ok ? null : outcome.error);
  }
  const panel = element(
    'section',
    { class: 'people-panel', 'aria-labelledby': 'people-updates', hidden: true },
    element('h2', { id: 'people-updates' }, 'Updates'),
    installed,
    moving.element,
    list,
    check,
    said.element,
  );
  people.subscribe(({ me, updates }) => {
    panel.hidden = me?.role !== 'admin';
    const items = (updates ?? []).map((update, i) =>
      updateItem(update, i === 0 ? () => void apply(update.version) : null),
    );
    list.replaceChildren(...items);
  });
  arm.subscribe((view, before) => {
    moving.follow(view);
    if (view.version) setText(installed, `Version ${view.version} is installed.`);
    if (view.version !== before.version && people.view().updates) void ask();
  });
  return panel;
}
