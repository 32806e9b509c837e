/**
 * Edits that must not be lost on Teach: two editors of one toolpath learn of each other, an
 * expired session keeps the draft, and every remedy of a finding makes the toolpath build.
 */
import { readFileSync } from 'node:fs';
import { type Browser, expect as baseExpect, type Page } from '@playwright/test';
import { type ArmClient, connect } from '../contract/client.ts';
import type { Toolpath, ToolpathHead } from '../contract/types.generated.ts';
import { type Server, startServer, test } from './server.ts';

const expect = baseExpect.configure({ timeout: 30_000 });
const ADMIN = { email: 'admin@example.com', password: 'a password of the tests' };
const PLAIN = JSON.parse(
  readFileSync(new URL('../fixtures/toolpaths/pick-and-place.json', import.meta.url), 'utf8'),
) as Toolpath;

test.use({ trace: 'off' });
test.describe.configure({ mode: 'serial', timeout: 240_000 });

let server: Server;
let arm: ArmClient;

test.beforeAll(async () => {
  const admin = ['--admin-email', ADMIN.email, '--admin-password', ADMIN.password];
  server = await startServer(['--driver', 'fast', ...admin]);
  arm = connect({ baseUrl: server.baseUrl, token: server.token });
});

test.afterAll(() => server?.stop());

async function save(name: string, toolpath = PLAIN): Promise<ToolpathHead> {
  return (await arm.createToolpath({ name, toolpath })).toolpath;
}

async function read(id: number) {
  return (await arm.getToolpath({ toolpath_id: id })).toolpath;
}

/** A window of its own with a toolpath open on a page. */
async function openIn(browser: Browser, on: 'Teach' | 'Paths', name: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 900, height: 620 } });
  const page = await context.newPage();
  await page.goto(`${server.baseUrl}/#token=${server.token}`);
  const rail = page.getByRole('navigation', { name: 'Pages' });
  await rail.getByRole('button', { name: on, exact: true }).click();
  await page.getByRole('button', { name, exact: true }).click();
  await expect(page.getByRole('treeitem').first()).toBeVisible();
  return page;
}

const otherVersion = (page: Page) =>
  page.locator('.newer').filter({ visible: true, hasText: 'with your account' });
const rows = (page: Page) => page.locator('[data-of="teach"]').getByRole('treeitem');
const undone = (page: Page) => page.locator('[data-of="teach"] [data-unsaved]');

async function addWaypoint(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add waypoint' }).click();
  await expect(undone(page)).toBeVisible();
}

test('two editors of one toolpath learn of it, and neither replaces the other silently', async ({
  browser,
}) => {
  const { id } = await save('Shared work');
  const [one, two] = (await Promise.all(
    [1, 2].map(() => openIn(browser, 'Teach', 'Shared work')),
  )) as [Page, Page];
  const count = await rows(one).count();
  await addWaypoint(one);
  await addWaypoint(two);
  await addWaypoint(two);
  await one.keyboard.press('Control+s');
  await expect.poll(async () => (await read(id)).toolpath.timeline.length).toBe(count + 1);
  await expect(otherVersion(one)).toHaveCount(0);
  const first = await read(id);
  // The other one sees it at once, and its Save changes nothing.
  await expect(otherVersion(two)).toContainText('“Shared work” was changed elsewhere');
  await expect(otherVersion(two)).toContainText('Your edits are not saved.');
  await two.keyboard.press('Control+s');
  await expect(rows(two)).toHaveCount(count + 2);
  await expect(otherVersion(two)).toBeVisible();
  expect((await read(id)).hash).toBe(first.hash);
  // Both versions side by side.
  await two.getByRole('button', { name: 'Compare', exact: true }).click();
  await expect(otherVersion(two).getByRole('table')).toContainText('Step');
  // Theirs, and back to mine by Undo, which says so again.
  await two.getByRole('button', { name: 'Take theirs' }).click();
  await expect(rows(two)).toHaveCount(count + 1);
  await expect(otherVersion(two)).toHaveCount(0);
  await two.getByRole('button', { name: /^Undo/ }).click();
  await expect(rows(two)).toHaveCount(count + 2);
  await expect(otherVersion(two)).toBeVisible();
  await two.getByRole('button', { name: 'Keep mine: save over theirs' }).click();
  await expect.poll(async () => (await read(id)).toolpath.timeline.length).toBe(count + 2);
  await expect(otherVersion(two)).toHaveCount(0);
  // The first one has no unsaved edits, and sees it too.
  await expect(otherVersion(one)).toContainText('“Shared work” was changed');
  await expect(otherVersion(one)).not.toContainText('not saved');
  await one.getByRole('button', { name: 'Take theirs' }).click();
  await expect(rows(one)).toHaveCount(count + 2);
  await one.context().close();
  await two.context().close();
});

test('a toolpath deleted elsewhere is kept by saving it again, or closed', async ({ browser }) => {
  const { id } = await save('Deleted work');
  const [teach, paths] = await Promise.all([
    openIn(browser, 'Teach', 'Deleted work'),
    openIn(browser, 'Paths', 'Deleted work'),
  ]);
  await addWaypoint(teach);
  await arm.deleteToolpath({ toolpath_id: id });
  await expect(otherVersion(teach)).toContainText('was deleted');
  await expect(otherVersion(paths)).toContainText('was deleted');
  await paths.getByRole('button', { name: 'Close it' }).click();
  await expect(paths.getByText('Drop a toolpath here')).toBeVisible();
  await expect(otherVersion(paths)).toHaveCount(0);
  await teach.getByRole('button', { name: 'Keep mine: save it again' }).click();
  const again = async () =>
    (await arm.listToolpaths()).toolpaths.find(({ name }) => name === 'Deleted work');
  await expect.poll(again).toBeTruthy();
  expect((await read((await again())!.id)).toolpath.timeline).toHaveLength(
    PLAIN.timeline.length + 1,
  );
  await expect(otherVersion(teach)).toHaveCount(0);
  await expect(undone(teach)).toHaveCount(0);
  await teach.context().close();
  await paths.context().close();
});

test('an expired session keeps unsaved edits: sign in again in place, then save', async ({
  browser,
}) => {
  const { id } = await save('Long work');
  const page = await browser.newPage({ viewport: { width: 900, height: 620 } });
  const signIn = page.getByRole('dialog', { name: 'Sign in to the robot' });
  async function logIn(): Promise<void> {
    await signIn.getByRole('button', { name: 'By password' }).click();
    await signIn.getByLabel('E-mail').fill(ADMIN.email);
    await signIn.getByLabel('Password', { exact: true }).fill(ADMIN.password);
    await signIn.getByRole('button', { name: 'Sign in' }).click();
    await expect(signIn).toBeHidden();
  }
  await page.goto(server.baseUrl);
  await logIn();
  // After a reload the page has the session alone, and no password to renew it with.
  await page.reload();
  await page.keyboard.press('3');
  const name = page.getByLabel('Name of the toolpath');
  await page.getByRole('button', { name: 'Long work', exact: true }).click();
  await expect(rows(page).first()).toBeVisible();
  const count = (await rows(page).count()) + 1;
  await addWaypoint(page);
  await expect(rows(page)).toHaveCount(count);
  await name.fill('Long work, edited');
  const session = await page.evaluate(() => sessionStorage.getItem('armtwin.session'));
  await connect({ baseUrl: server.baseUrl, session: session! }).endSession();
  await expect(signIn).toBeVisible();
  await expect(rows(page)).toHaveCount(count);
  await logIn();
  await expect(name).toHaveValue('Long work, edited');
  await expect(rows(page)).toHaveCount(count);
  await expect(undone(page)).toBeVisible();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.poll(async () => (await read(id)).name).toBe('Long work, edited');
  expect((await read(id)).toolpath.timeline).toHaveLength(PLAIN.timeline.length + 1);
  await expect(undone(page)).toHaveCount(0);
  await page.close();
});

test('a password changed in the middle of an edit asks for it, and keeps the edit', async ({
  browser,
}) => {
  const [email, former, changed] = ['eve@example.com', 'the former password', 'the new password'];
  const { user } = await arm.createUser({ email, password: former });
  const own = await connect({ baseUrl: server.baseUrl, logIn: { email, password: former } });
  await own.createToolpath({ name: 'Work of Eve', toolpath: PLAIN });
  const page = await browser.newPage({ viewport: { width: 900, height: 620 } });
  const signIn = page.getByRole('dialog', { name: 'Sign in to the robot' });
  const attempts: number[] = [];
  page.on('response', (response) => {
    if (response.url().endsWith('/api/v1/auth')) attempts.push(response.status());
  });
  async function logIn(password: string): Promise<void> {
    await signIn.getByRole('button', { name: 'By password' }).click();
    await signIn.getByLabel('E-mail').fill(email);
    await signIn.getByLabel('Password', { exact: true }).fill(password);
    await signIn.getByRole('button', { name: 'Sign in' }).click();
  }
  await page.goto(server.baseUrl);
  await logIn(former);
  await expect(signIn).toBeHidden();
  await page.keyboard.press('3');
  await page.getByRole('button', { name: 'Work of Eve', exact: true }).click();
  await expect(rows(page).first()).toBeVisible();
  const count = (await rows(page).count()) + 1;
  await addWaypoint(page);
  const name = page.getByLabel('Name of the toolpath');
  await name.press('End');
  await name.pressSequentially(' ed');
  attempts.length = 0;
  await arm.updateUser({ user_id: user.id }, { password: changed });
  await expect(signIn).toBeVisible();
  // The page may try what it knows once; more would lock the user out.
  expect(attempts.length).toBeLessThanOrEqual(1);
  await logIn(former);
  await expect(signIn.getByRole('alert')).toBeVisible();
  await logIn(changed);
  await expect(signIn).toBeHidden();
  await expect(name).toHaveValue('Work of Eve ed');
  await expect(rows(page)).toHaveCount(count);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(undone(page)).toHaveCount(0);
  const now = connect({ baseUrl: server.baseUrl, logIn: { email, password: changed } });
  const { toolpaths } = await now.listToolpaths();
  expect(toolpaths.map((each) => each.name)).toEqual(['Work of Eve ed']);
  await page.close();
});

test('each remedy of a finding on Teach makes the toolpath build on the arm', async ({
  browser,
}) => {
  const identity = { w: 1, x: 0, y: 0, z: 0 };
  const blocked: Toolpath = {
    ...PLAIN,
    metadata: {
      ...PLAIN.metadata,
      avoidance_zones: [
        {
          ...{ name: 'Crate', avoid: 'inside', orientation: identity },
          ...{
            position: { x: 0.373, y: -0.0275, z: 0.22 },
            dimensions: { x: 0.06, y: 0.06, z: 0.06 },
          },
        },
      ],
    },
  };
  const { id } = await save('Blocked', blocked);
  const error = async () =>
    (await arm.buildToolpath({ toolpath_id: id })).toolpath.trajectory.error ?? '';
  expect(await error()).not.toBe('');
  const page = await openIn(browser, 'Teach', 'Blocked');
  const findings = page.getByRole('region', { name: 'Findings' });
  const remedies = findings.locator('.card-remedies button');
  await expect(remedies.first()).toBeVisible();
  const labels = await remedies.allTextContents();
  expect(labels.length).toBe(3);
  await expect(findings.locator('.finding-error')).toHaveCount(1);
  for (const label of labels) {
    await remedies.filter({ hasText: label }).click();
    await expect(findings.locator('.finding-error')).toHaveCount(0);
    await page.keyboard.press('Control+s');
    await expect.poll(error, label).toBe('');
    await page.keyboard.press('Control+z');
    await findings.locator('.finding-error').first().click();
    await expect(remedies.filter({ hasText: label })).toBeVisible();
    await page.keyboard.press('Control+s');
    await expect.poll(error).not.toBe('');
  }
  await page.close();
});
