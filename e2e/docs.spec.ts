/** The API documentation at /docs, loaded from this server only, under its security policy. */
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { test } from './server.ts';

/** One page for all tests, because it takes seconds to draw every call. */
let page: Page;

test.describe.configure({ mode: 'serial' });
// A trace holds every call of the page again after each step.
test.use({ trace: 'off' });

test.beforeAll(async ({ browser }) => {
  page = await browser.newPage();
});

test.afterAll(async () => {
  await page.close();
});

/** The part above the calls; a search by role over all calls takes seconds. */
const guide = () => page.locator('.guide');

test('shows every endpoint, contacts no other host, and executes a call @more', async ({
  server,
}) => {
  const foreignRequests: string[] = [];
  const consoleErrors: string[] = [];
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    const own = origin === server.baseUrl || protocol === 'data:' || protocol === 'blob:';
    if (!own) foreignRequests.push(request.url());
  });
  page.on('console', (message) => {
    if (message.type() === 'error') consoleErrors.push(message.text());
  });
  page.on('pageerror', (error) => consoleErrors.push(error.message));
  await page.goto(`${server.baseUrl}/docs/`);
  await expect(page.locator('#event-table tr')).toHaveCount(12);
  for (const name of ['openapi.json', 'asyncapi.json']) {
    await expect(guide().getByRole('link', { name, exact: true })).toBeVisible();
  }
  const calls = page.locator('.opblock');
  await expect(calls.first()).toBeVisible();
  const document = await (await fetch(`${server.baseUrl}/openapi.json`)).json();
  const methods = Object.values(document.paths as object).flatMap((path: object) =>
    Object.keys(path).filter((key) => ['get', 'post', 'put', 'delete'].includes(key)),
  );
  await expect(calls).toHaveCount(methods.length);
  const versions = calls.filter({ hasText: '/api/versions' }).first();
  await versions.click();
  await versions.getByRole('button', { name: 'Execute' }).click();
  await expect(versions.locator('.live-responses-table')).toContainText('"v1"');
  expect(foreignRequests).toEqual([]);
  expect(consoleErrors).toEqual([]);
});

test('logs in, and shows the events of the arm as they come @more', async ({ server }) => {
  const listen = guide().getByRole('button', { name: 'Listen' });
  await expect(listen).toBeDisabled();
  await guide().getByLabel('API token').fill('wrong');
  await page.locator('#log-in button').click();
  await expect(page.locator('#log-in-result')).toContainText('Wrong credentials');
  await guide().getByLabel('API token').fill(server.token);
  await page.locator('#log-in button').click();
  await expect(page.locator('#log-in-result')).toHaveText('Logged in.');
  await listen.click();
  await expect(page.locator('#listen-state')).toHaveText('Listening');
  // The calls use the same session.
  const lock = page.locator('#operations-Robot\\ lock-takeLock, [id$="-takeLock"]').first();
  await lock.click();
  await lock.getByRole('button', { name: 'Execute' }).click();
  await expect(lock.locator('.live-responses-table')).toContainText('"you"');
  await expect(page.locator('#received')).toContainText('lock_status');
  await page.locator('#listen').click();
  await expect(page.locator('#listen-state')).toContainText('Closed');
});

for (const theme of ['light', 'dark'] as const) {
  test(`is of one piece with the viewer, for everybody, in ${theme} @more`, async ({
    browser,
    server,
  }) => {
    // axe needs a context that is made by hand.
    const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
    const docs = await context.newPage();
    // As chosen in the viewer.
    await docs.addInitScript((chosen) => {
      localStorage.setItem('armtwin.preferences', JSON.stringify({ theme: chosen }));
    }, theme);
    await docs.goto(`${server.baseUrl}/docs/`);
    await expect(docs.locator('html')).toHaveAttribute('data-theme', theme);
    const call = docs.locator('.opblock-post').nth(3);
    await call.getByRole('button').first().click();
    await expect(call.getByRole('button', { name: 'Execute' })).toBeVisible();
    const { violations } = await new AxeBuilder({ page: docs })
      .withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'])
      .include('.guide')
      .include('.opblock.is-open')
      .include('.opblock-tag-section:first-of-type .opblock-tag')
      .analyze();
    expect(violations.map(({ id }) => id)).toEqual([]);
    const wide = await docs.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBe(390);
    await context.close();
  });
}
