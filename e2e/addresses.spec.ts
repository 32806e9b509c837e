/**
 * Addresses: what is on the screen is a URL; back, forward, reload and links bring it back, and a
 * link to what is gone says so. Also the situations of the Simulation page.
 */
import { readFileSync } from 'node:fs';
import { expect as baseExpect, type Page } from '@playwright/test';
import { type ArmClient, connect } from '../contract/client.ts';
import type { Toolpath } from '../contract/types.generated.ts';
import { type Server, startServer, test } from './server.ts';

const read = (name: string) =>
  JSON.parse(
    readFileSync(new URL(`../fixtures/toolpaths/${name}.json`, import.meta.url), 'utf8'),
  ) as Toolpath;
const expect = baseExpect.configure({ timeout: 20_000 });

test.use({ trace: 'off' });
test.describe.configure({ mode: 'serial', timeout: 120_000 });

let server: Server;
let arm: ArmClient;
let page: Page;
const ids: number[] = [];

test.beforeAll(async ({ browser }) => {
  server = await startServer(['--driver', 'fast']);
  arm = connect({ baseUrl: server.baseUrl, token: server.token });
  for (const [name, file] of [
    ['First', 'pick-and-place'],
    ['Second', 'sorter'],
  ] as const) {
    const saved = await arm.createToolpath({ name, toolpath: read(file) });
    ids.push(saved.toolpath.id);
  }
  const context = await browser.newContext({ viewport: { width: 1300, height: 700 } });
  page = await context.newPage();
  await page.goto(`${server.baseUrl}/#token=${server.token}`);
  await expect(page.locator('.explain')).toBeVisible();
});

test.afterAll(async () => {
  await page?.close();
  await server?.stop();
});

const hash = () => new URL(page.url()).hash;
const title = () => page.locator('.program .program-name');

test('names page, toolpath, step and time; back and forward work', async () => {
  await page.getByRole('button', { name: 'Paths', exact: true }).click();
  await expect.poll(hash).toBe('#paths');
  await page.getByRole('button', { name: 'First', exact: true }).click();
  await expect.poll(hash).toMatch(new RegExp(`^#paths/${ids[0]}\\?`));
  await page.locator('.row[data-at="/timeline/5"]').click();
  await expect.poll(hash).toContain('step=/timeline/5');
  await page.locator('.program-title').click();
  await page.getByRole('button', { name: 'Second', exact: true }).click();
  await expect.poll(hash).toMatch(new RegExp(`^#paths/${ids[1]}\\?`));
  await page.goBack();
  await expect(title()).toHaveText('First');
  await expect(page.locator('.row[data-at="/timeline/5"]')).toHaveAttribute(
    'aria-selected',
    'true',
  );
  await page.goForward();
  await expect(title()).toHaveText('Second');
  await page.goBack();
  await page.goBack();
  await page.goBack();
  await expect(page.locator('.page')).toHaveAttribute('data-page', 'live');
});

test('opens a link, and a reload stays there', async () => {
  await page.goto(`${server.baseUrl}/#paths/${ids[0]}?step=/timeline/7&t=4.00`);
  await page.reload();
  await expect(title()).toHaveText('First');
  const selected = page.locator('.row[aria-selected="true"]');
  await expect(selected).toHaveAttribute('data-at', '/timeline/7');
  await page.reload();
  await expect(title()).toHaveText('First');
  await expect(selected).toHaveAttribute('data-at', '/timeline/7');
});

test('says that a link leads to a deleted toolpath, and offers the others', async () => {
  await arm.deleteToolpath({ toolpath_id: ids[1]! });
  await page.goto(`${server.baseUrl}/#paths/${ids[1]}`);
  await expect(page.getByText(`Toolpath ${ids[1]} of this link is deleted`)).toBeVisible();
  await expect(page.getByRole('button', { name: 'First', exact: true })).toBeVisible();
});

test('keeps the notice of such a link in a page that reads the others meanwhile', async ({
  browser,
}) => {
  const context = await browser.newContext();
  const fresh = await context.newPage();
  await fresh.goto(`${server.baseUrl}/#token=${server.token}`);
  await expect(fresh.locator('.explain')).toBeVisible();
  await fresh.goto(`${server.baseUrl}/#paths/9999`);
  await expect(fresh.locator('.library')).toContainText(/\d s · /);
  await expect(fresh.getByText('Toolpath 9999 of this link is deleted')).toBeVisible();
  await context.close();
});

for (const nowhere of ['nothing/3?x=<script>', 'paths/abc']) {
  test(`replaces the address ${nowhere}, which names nothing, by that of the page`, async () => {
    await page.goto(`${server.baseUrl}/#${nowhere}`);
    await page.reload();
    await expect(page.locator('.explain')).toBeVisible();
    await expect(page.locator('.page')).not.toHaveAttribute('data-page', 'nothing');
    await expect.poll(() => new URL(page.url()).hash).not.toContain(nowhere.slice(0, 9));
  });
}

test('signs in by a link that is opened in the tab that shows the dialog', async ({ browser }) => {
  const context = await browser.newContext();
  const other = await context.newPage();
  await other.goto(server.baseUrl);
  await expect(other.getByRole('dialog')).toBeVisible();
  // Only the fragment differs, so the browser loads nothing.
  await other.goto(`${server.baseUrl}/#token=${server.token}`);
  await expect(other.getByText('Ready').first()).toBeVisible();
  await expect(other.getByRole('dialog')).toBeHidden();
  expect(await other.evaluate('location.hash')).not.toContain('token');
  await context.close();
});

test('copies a link with the camera', async () => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy a link to this' }).click();
  await expect(page.getByText('The link is copied.')).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(new URL(link).hash).toMatch(/^#live\?cam=(-?[\d.]+(%2C|,)?){6}$/);
});

test('starts and ends each situation of the Simulation page', async () => {
  await page.getByRole('button', { name: 'Simulation', exact: true }).click();
  for (const name of ['Person in the cell', 'Drive fails', 'Network slow', 'Emergency stop']) {
    const situation = page.locator('.situation', { hasText: name });
    await situation.click();
    await expect(situation).toHaveAttribute('aria-pressed', 'true');
    const { faults } = await arm.listFaults();
    const { obstacles } = await arm.listObstacles();
    const { emergency_stop } = await arm.getStatus();
    expect(faults.length + obstacles.length + (emergency_stop ? 1 : 0)).toBeGreaterThan(0);
    await situation.click();
    await expect(situation).toHaveAttribute('aria-pressed', 'false');
    expect((await arm.listFaults()).faults).toEqual([]);
    expect((await arm.listObstacles()).obstacles).toEqual([]);
    await arm.takeLock().catch(() => undefined);
    await arm.resetErrors().catch(() => undefined);
  }
});

test('keeps bar and explanations inside the window, whatever a toolpath is called', async () => {
  const name = 'A toolpath with a rather long name '.repeat(3).trim();
  const { toolpath } = await arm.createToolpath({ name, toolpath: read('sorter') });
  await page.goto(`${server.baseUrl}/#paths/${toolpath.id}`);
  await expect(page.locator('.motion .primary')).toContainText('Load and run “A toolpath');
  await page.locator('.explain-more').click();
  for (const width of [390, 768, 1024, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const outside = await page.evaluate(() => {
      const { right } = document.querySelector('.scene')!.getBoundingClientRect();
      const over = (selector: string, edge: number) =>
        [...document.querySelectorAll(selector)].filter(
          (each) => each.checkVisibility() && each.getBoundingClientRect().right > edge,
        ).length;
      return {
        wide: document.documentElement.scrollWidth - innerWidth,
        bar: over('.top *', innerWidth),
        explained: over('.notices *', right),
        named: document.querySelector('.robot h1')!.clientWidth > 60,
      };
    });
    expect({ width, ...outside }).toEqual({ width, wide: 0, bar: 0, explained: 0, named: true });
  }
  await page.locator('.explain-more').click();
});
