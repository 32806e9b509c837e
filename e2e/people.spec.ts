/**
 * Signing in and the People page against the built program: what the page promises of tokens,
 * users and updates is tried over the wire, and names made to break pages stay plain text on all
 * of them.
 */
import { readFileSync } from 'node:fs';
import { type Page, expect as patientExpect } from '@playwright/test';
import { ArmError, connect } from '../contract/client.ts';
import type { Toolpath } from '../contract/types.ts';
import { type Server, startServer, test } from './server.ts';

const NAMES = JSON.parse(
  readFileSync(new URL('../fixtures/names/hostile.json', import.meta.url), 'utf8'),
) as readonly string[];
const PATH = new URL('../fixtures/toolpaths/sorter.json', import.meta.url);
const ASSAY = new URL('../fixtures/workflows/assay.json', import.meta.url);
const EMAIL = 'ada@example.org';
const PASSWORD = 'a long and good one';
const MARKUP = NAMES[0]!;
const LABEL_LONGEST = 16;

const expect = patientExpect.configure({ timeout: 20_000 });
test.use({ viewport: { width: 760, height: 480 }, trace: 'off' });
test.describe.configure({ timeout: 300_000 });

let server: Server;

test.beforeAll(async () => {
  const admin = ['--admin-email', EMAIL, '--admin-password', PASSWORD];
  const quick = ['--clock', '20', '--driver', 'fast', '--log-level', 'silent'];
  server = await startServer([...admin, ...quick, '--name', MARKUP]);
});

test.afterAll(async () => {
  await server.stop();
});

/** Opens the dialog and signs in by password. */
async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.goto(server.baseUrl);
  await page.getByRole('button', { name: 'By password' }).click();
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Whether an API token opens a session. */
async function opens(token: string): Promise<boolean> {
  try {
    await connect({ baseUrl: server.baseUrl, token }).listUsers();
    return true;
  } catch (error) {
    if (error instanceof ArmError && error.status === 401) return false;
    throw error;
  }
}

test('signs in by password; tokens, users and updates do what the page says', async ({ page }) => {
  await signIn(page, EMAIL, 'not the right one');
  await expect(page.getByText('E-mail or password is wrong.')).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'People' }).click();
  await expect(page.getByRole('region', { name: 'Profile' })).toContainText(`${EMAIL}Admin`);

  await page.getByLabel('Name of the new token').fill('laptop');
  await page.keyboard.press('Enter');
  const card = page.getByRole('group', { name: 'New token' });
  const secret = (await card.locator('code').textContent()) ?? '';
  expect(await opens(secret)).toBe(true);
  await page.getByRole('button', { name: 'Put away' }).click();
  expect(await page.content()).not.toContain(secret);
  const laptop = page.getByRole('row', { name: 'laptop' });
  await laptop.getByRole('button', { name: 'Revoke' }).click();
  expect(await opens(secret)).toBe(true);
  await laptop.getByRole('button', { name: 'Revoke for good' }).click();
  await expect(laptop).toHaveCount(0);
  expect(await opens(secret)).toBe(false);

  await managesUsers(page);
  await installsAnUpdate(page);

  await page.getByRole('button', { name: 'Sign out' }).click();
  await signIn(page, 'bob@example.org', PASSWORD);
  await page.getByRole('button', { name: 'People' }).click();
  await expect(page.getByRole('region', { name: 'Profile' })).toContainText('bob@example.org');
  // A reload of the page needs no password: the session is kept in this tab.
  await page.reload();
  await page.getByRole('button', { name: 'People' }).click();
  await expect(page.getByRole('region', { name: 'Profile' })).toContainText('bob@example.orgUser');
  await expect(page.getByRole('row', { name: EMAIL })).toContainText('Admin');
  for (const name of ['Add user', 'Delete', 'Check for updates']) {
    await expect(page.getByRole('button', { name })).toBeHidden();
  }
});

/** Adds a user; the only admin cannot become one who is none. */
async function managesUsers(page: Page): Promise<void> {
  await page.getByLabel('E-mail of the new user').fill('bob@example.org');
  await page.getByLabel('First password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Add user' }).click();
  await expect(page.getByText('bob@example.org can sign in now.')).toBeVisible();
  const own = page.getByLabel(`Role of ${EMAIL}`);
  await own.selectOption('user');
  await expect(page.getByText('The last admin cannot go.')).toBeVisible();
  await expect(own).toHaveValue('admin');
}

/** An update ends all sessions: the page comes back by itself with what it signed in with. */
async function installsAnUpdate(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Check for updates' }).click();
  await expect(page.getByText('Required before any later version')).toBeVisible();
  await page.getByRole('button', { name: 'Install 4.10.0' }).click();
  await expect(page.getByRole('progressbar', { name: 'Installation' })).toBeVisible();
  await expect(page.getByText('Version 4.10.0 is installed.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Install 4.11.2' })).toBeVisible();
}

/** Puts every name wherever the API takes one. */
async function nameAll(arm: ReturnType<typeof connect>): Promise<void> {
  const toolpath = JSON.parse(readFileSync(PATH, 'utf8')) as Toolpath;
  toolpath.waypoints.forEach((waypoint, i) => {
    waypoint.label = NAMES[i % NAMES.length]!.slice(0, LABEL_LONGEST);
  });
  for (const [i, zone] of (toolpath.metadata.avoidance_zones ?? []).entries()) {
    zone.name = NAMES[i]!;
  }
  const text = readFileSync(ASSAY, 'utf8')
    .replaceAll('Plate hotel', JSON.stringify(MARKUP).slice(1, -1))
    .replaceAll('dispense_1', JSON.stringify(NAMES[1]).slice(1, -1))
    .replaceAll('plate_1', JSON.stringify(NAMES[2]).slice(1, -1));
  const workflow = JSON.parse(text) as Record<string, unknown>;
  for (const [i, name] of NAMES.entries()) {
    await arm.createToolpath({ name, toolpath });
    if (i < 4) await arm.createWorkflow({ ...workflow, name });
    await arm.createToken({ user_id: 1 }, { name });
  }
  await arm.createUser({ email: '<img/src=x/onerror=window.hostile=1>@a', password: PASSWORD });
}

/** What a page shows that nobody meant to be there. */
function strangers(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const found = document.querySelectorAll('img, iframe, base, style, script:not([src]), a[href]');
    const handlers = [...document.querySelectorAll('*')].filter((each) =>
      [...each.attributes].some(({ name }) => name.startsWith('on')),
    );
    const ran = 'hostile' in globalThis ? ['a name ran as a program'] : [];
    return [...ran, ...[...found, ...handlers].map(({ outerHTML }) => outerHTML)];
  });
}

test('shows names made to break it as plain text, on every page', async ({ page }) => {
  const arm = connect({ baseUrl: server.baseUrl, token: server.token });
  // On a fast clock the page's session would end meanwhile, with a complaint in the console.
  await arm.setClock({ pace: 1 });
  await nameAll(arm);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('dialog', (dialog) => {
    complaints.push(dialog.message());
    void dialog.dismiss();
  });
  await page.goto(`${server.baseUrl}/#token=${server.token}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(MARKUP);
  const choice = page.getByLabel('Toolpath', { exact: true });
  await expect(choice.locator('option')).toHaveText([...NAMES]);
  expect(await strangers(page)).toEqual([]);

  await page.getByRole('button', { name: 'People' }).click();
  const tokens = page.getByRole('region', { name: 'API tokens' }).locator('tbody th');
  await expect(tokens).toHaveText(['first token', ...NAMES]);
  await expect(page.getByText('<img/src=x/onerror=window.hostile=1>@a')).toBeVisible();
  expect(await strangers(page)).toEqual([]);

  await page.getByRole('button', { name: 'Paths' }).click();
  await page.locator('.library-entry').first().click();
  await expect(page.locator('.mark-name').filter({ hasText: MARKUP }).first()).toBeAttached();
  expect(await strangers(page)).toEqual([]);

  await page.getByRole('button', { name: 'Workflow' }).click();
  await page.getByRole('button', { name: NAMES[3]!, exact: true }).click();
  await expect(page.locator('.gantt-name').filter({ hasText: MARKUP })).toBeVisible();
  await page.locator('.gantt-bar[data-key^="task/<script>"]').click();
  const inspector = page.getByRole('complementary', { name: 'Details' });
  await expect(inspector).toContainText(NAMES[1]!);
  await page.getByRole('button', { name: 'Scene' }).click();
  await expect(page.locator('.deck-marks').filter({ hasText: MARKUP })).toBeAttached();
  expect(await strangers(page)).toEqual([]);
  expect(complaints).toEqual([]);
});
