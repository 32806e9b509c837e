/** The finder: pages, commands and toolpaths by a few letters, with the keyboard alone. */
import { readFileSync } from 'node:fs';
import { AxeBuilder } from '@axe-core/playwright';
import { type Page, expect as patientExpect } from '@playwright/test';
import { connect } from '../contract/client.ts';
import type { Toolpath } from '../contract/types.ts';
import { test } from './server.ts';

const SORTER = new URL('../fixtures/toolpaths/sorter.json', import.meta.url);
const expect = patientExpect.configure({ timeout: 20_000 });

test.use({ viewport: { width: 760, height: 480 }, trace: 'off' });
test.describe.configure({ timeout: 120_000 });

test.beforeAll(async ({ server }) => {
  const arm = connect({ baseUrl: server.baseUrl, token: server.token });
  const toolpath = JSON.parse(readFileSync(SORTER, 'utf8')) as Toolpath;
  for (const name of ['Alpha', 'Sorting of parts', 'Parts away']) {
    await arm.createToolpath({ name, toolpath });
  }
});

function found(page: Page) {
  return page.getByRole('listbox', { name: 'Found' }).getByRole('option');
}

function chosen(page: Page) {
  return page.getByRole('listbox', { name: 'Found' }).getByRole('option', { selected: true });
}

/** Opens the finder and types. */
async function find(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: /Find a page/ })).toBeFocused();
  await page.keyboard.type(text);
}

test('finds and does what is asked for, with the keyboard alone', async ({ page, server }) => {
  await page.goto(`${server.baseUrl}/#token=${server.token}`);
  await expect(page.getByText('Ready').first()).toBeVisible();
  await find(page, 'tea');
  await expect(chosen(page)).toContainText('Teach');
  await page.keyboard.press('Enter');
  await expect(page.getByText('No toolpath is open', { exact: false })).toBeVisible();
  // On the page that shows, for it can open one.
  await find(page, 'parts');
  await expect(found(page)).toHaveCount(2);
  await expect(chosen(page)).toContainText('Parts away');
  await page.keyboard.press('ArrowDown');
  await expect(chosen(page)).toContainText('Sorting of parts');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Name of the toolpath')).toHaveValue('Sorting of parts');
  // A switch of the page, then what opens from there.
  const zones = page.getByRole('group', { name: 'Layers' }).getByRole('button', { name: 'Zones' });
  await expect(zones).toHaveAttribute('aria-pressed', 'true');
  await find(page, 'zones');
  await page.keyboard.press('Enter');
  await expect(zones).toHaveAttribute('aria-pressed', 'false');
  await find(page, 'no such thing');
  await expect(page.getByText('Nothing is called that.')).toBeVisible();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await find(page, '');
  const { violations } = await new AxeBuilder({ page }).include('.finder').analyze();
  expect(violations.map(({ id }) => id)).toEqual([]);
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog')).toBeHidden();
});

test('offers only what can be pressed, and moves the arm only through its own button', async ({
  page,
  server,
}) => {
  const arm = connect({ baseUrl: server.baseUrl, token: server.token });
  await page.goto(`${server.baseUrl}/#token=${server.token}`);
  await expect(page.getByText('Ready').first()).toBeVisible();
  // Nothing is loaded: Run is off, so it cannot be found.
  await find(page, 'run');
  await expect(found(page).filter({ hasText: /^Run/ })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await arm.takeLock();
  const { toolpaths } = await arm.listToolpaths();
  await arm.useToolpath({ toolpath_id: toolpaths[0]!.id });
  await arm.releaseLock();
  await expect(page.getByRole('button', { name: 'Run' })).toBeEnabled();
  await find(page, 'run');
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await arm.getSnapshot()).snapshot.control.state).toBe('running');
  // The page may hear of the run only now: what it offers follows.
  await find(page, 'cancel');
  await expect(chosen(page)).toContainText('Cancel the motion');
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await arm.getSnapshot()).snapshot.control.state).toBe('ready');
  await page.getByTitle('Release the lock').click();
});

test('says so when a page cannot be loaded, and stays where it is', async ({ page, server }) => {
  await page.route(/people-page-.*\.js$/, (route) => route.abort());
  await page.goto(`${server.baseUrl}/#token=${server.token}`);
  await expect(page.getByText('Ready').first()).toBeVisible();
  const rail = page.getByRole('navigation', { name: 'Pages' });
  await rail.getByRole('button', { name: 'People' }).click();
  await expect(page.getByText('This page cannot be had from the server.')).toBeVisible();
  await expect(rail.getByRole('button', { name: 'Live' })).toHaveAttribute('aria-current', 'page');
  // Its program comes now, but not its looks; then both.
  await page.unroute(/people-page-.*\.js$/);
  await page.route(/people-.*\.css$/, (route) => route.abort());
  const missed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('.css'));
  await rail.getByRole('button', { name: 'People' }).click();
  await missed;
  await expect(rail.getByRole('button', { name: 'Live' })).toHaveAttribute('aria-current', 'page');
  await page.unroute(/people-.*\.css$/);
  await rail.getByRole('button', { name: 'People' }).click();
  await expect(page.getByRole('heading', { name: 'API tokens' })).toBeVisible();
  await expect(page.getByText('This page cannot be had from the server.')).toBeHidden();
});
