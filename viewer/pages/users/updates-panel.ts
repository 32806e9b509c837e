/**
 * Software updates, for admins: available updates with their changes, and installation progress.
 */
import { limits } from '../../../contract/limits.ts';
import type { Update } from '../../../contract/types.generated.ts';
import type { ArmStore } from '../../link/arm-store.ts';
import type { ArmView } from '../../link/arm-view.ts';
import type { Commands } from '../../link/commands.ts';
import { button, element, setAttribute, setText } from '../../ui/element.ts';
import { createFormMessage } from '../../ui/form.ts';
import type { UsersStore } from './users-store.ts';

/** Share of an installation completed after `passed_s` of wall time; null if unknown. */
export function installationProgress(clock: string | null, passed_s: number): number | null {
  const factor = clock === null ? 1 : Number(clock);
  if (!Number.isFinite(factor) || factor <= 0) return null;
  return Math.min((passed_s * factor) / limits.update_duration_s, 1);
}

function updateItem(update: Update, install: (() => void) | null): HTMLElement {
  const action = install
    ? [button({ class: 'plain small' }, install, `Install ${update.version}`)]
    : [element('span', { class: 'sub' }, 'after the previous update')];
  return element(
    'li',
    { class: 'update' },
    element('div', { class: 'update-head' }, element('b', {}, update.version), ...action),
    element(
      'ul',
      {},
      ...update.changelogs.map(({ version, content }) =>
        element('li', {}, element('span', { class: 'sub' }, version), ' ', content),
      ),
    ),
  );
}

/** A progress bar that is visible while the robot is in the state `updating`. */
function installationBar(store: ArmStore) {
  const status = element('p', { role: 'status' });
  const bar = element('progress', { max: '1', 'aria-label': 'Installation' });
  const box = element('div', { class: 'update-progress', hidden: true }, status, bar);
  let since_ms: number | null = null;
  let timer: ReturnType<typeof setInterval> | undefined;
  function draw(): void {
    if (since_ms === null) return;
    const share = installationProgress(store.view().clock, (performance.now() - since_ms) / 1000);
    if (share === null) bar.removeAttribute('value');
    else setAttribute(bar, 'value', share.toFixed(3));
    setText(
      status,
      'Installing the update. The arm does not move; the page reconnects when it is done.',
    );
  }
  return {
    element: box,
    update(view: ArmView): void {
      const updating = view.snapshot?.control.state === 'updating';
      if (updating === (since_ms !== null)) return;
      since_ms = updating ? performance.now() : null;
      box.hidden = !updating;
      clearInterval(timer);
      if (updating) timer = setInterval(draw, 250);
      draw();
    },
  };
}

interface Parts {
  readonly users: UsersStore;
  readonly arm: ArmStore;
  readonly commands: Commands;
}

/** The panel; only admins see it. */
export function createUpdatesPanel({ users, arm, commands }: Parts): HTMLElement {
  const message = createFormMessage();
  const list = element('ul', { class: 'updates' });
  const installed = element('p', { class: 'sub' });
  const progress = installationBar(arm);
  const check = button({ class: 'plain' }, () => void checkForUpdates(), 'Check for updates');
  async function checkForUpdates(): Promise<void> {
    const problem = await users.checkUpdates();
    if (problem) return message.fail(problem);
    const upToDate = users.view().updates?.length === 0;
    message.succeed(upToDate ? 'The software is up to date.' : '');
  }
  async function install(version: string): Promise<void> {
    if (!(await commands.acquireLock())) return message.fail(arm.view().notice?.text ?? null);
    const outcome = await users.call((client) => client.applyUpdate({ version }));
    message.fail(outcome.ok ? null : outcome.error);
  }
  const panel = element(
    'section',
    { class: 'users-panel', 'aria-labelledby': 'users-updates', hidden: true },
    element('h2', { id: 'users-updates' }, 'Updates'),
    installed,
    progress.element,
    list,
    check,
    message.element,
  );
  users.subscribe(({ me, updates }) => {
    panel.hidden = me?.role !== 'admin';
    const items = (updates ?? []).map((update, i) =>
      updateItem(update, i === 0 ? () => void install(update.version) : null),
    );
    list.replaceChildren(...items);
  });
  arm.subscribe((view, before) => {
    progress.update(view);
    if (view.version) setText(installed, `Version ${view.version} is installed.`);
    if (view.version !== before.version && users.view().updates) void checkForUpdates();
  });
  return panel;
}
