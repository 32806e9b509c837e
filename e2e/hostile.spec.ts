/**
 * Text of users that would be code, on every page of the viewer; and a token that is taken away
 * while the page is open. Facts of reliability.
 */
import { readFileSync } from 'node:fs';
import { expect as patientExpect } from '@playwright/test';
import { type ArmClient, connect } from '../contract/client.ts';
import { sampleWorkflow } from '../contract/rules/workflow-samples.ts';
import type { Toolpath } from '../contract/types.ts';
import { type Server, startServer, test } from './server.ts';

const PATH = new URL('../fixtures/toolpaths/pick-and-place.json', import.meta.url);
const HOSTILE = '"><img src=x onerror="globalThis.struck=1"><script>globalThis.struck=1</script>';
const expect = patientExpect.configure({ timeout: 60_000 });

test.use({ viewport: { width: 400, height: 300 }, trace: 'off' });
test.describe.configure({ timeout: 240_000 });

let server: Server;
let arm: ArmClient;

test.beforeAll(async () => {
  server = await startServer(['--driver', 'fast', '--name', HOSTILE]);
  arm = connect({ baseUrl: server.baseUrl, token: server.token });
  const toolpath = JSON.parse(readFileSync(PATH, 'utf8')) as Toolpath;
  const saved = await arm.createToolpath({ name: HOSTILE, toolpath });
  await arm.takeLock();
  await arm.useToolpath({ toolpath_id: saved.toolpath.id });
  await arm.releaseLock();
  await arm.createWorkflow({ ...sampleWorkflow(), name: HOSTILE });
  const { user } = await arm.createUser({ email: 'ada@example.org', password: 'a long password' });
  await arm.createToken({ user_id: user.id }, { name: HOSTILE });
});

test.afterAll(() => server.stop());

test('hostile names stay text on every page; a lost token leads to the door', async ({ page }) => {
  const made = await arm.createToken({ user_id: 1 }, { name: 'for a while' });
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(`${server.baseUrl}/#token=${made.token}`);
  await expect(page.getByRole('button', { name: 'Run' })).toBeEnabled();
  const rail = page.getByRole('navigation', { name: 'Pages' });
  const words = await rail.getByRole('button').allInnerTexts();
  const pages = words.filter((word) => !/theme|sign out/i.test(word));
  expect(pages.length).toBeGreaterThan(1);
  let shown = 0;
  for (const word of pages) {
    const button = rail.getByRole('button', { name: word });
    await button.click();
    await expect(button).toHaveAttribute('aria-current', 'page');
    await page.waitForLoadState('networkidle');
    const seen = await page.evaluate(() => ({
      text: document.body.textContent.includes('globalThis.struck'),
      pictures: document.querySelectorAll('img[src="x"]').length,
    }));
    shown += seen.text ? 1 : 0;
    expect(seen.pictures, word).toBe(0);
  }
  expect(shown).toBeGreaterThan(0);
  expect(await page.evaluate(() => 'struck' in globalThis)).toBe(false);
  expect(complaints).toEqual([]);

  await arm.deleteToken({ user_id: 1, token_id: made.id });
  await expect(page.getByLabel('API token', { exact: true })).toBeVisible();
});
