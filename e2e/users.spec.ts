/**
 * Sign-in and the Users page against the built program: the effects on tokens, users and updates
 * are checked over the API.
 */
import { expect as baseExpect, type Page } from '@playwright/test';
import { sampleWorkflow } from '../conformance/samples/sample-workflow.ts';
import { ArmError, connect } from '../contract/client.ts';
import { type Server, startServer, test } from './server.ts';

const EMAIL = 'ada@example.org';
const PASSWORD = 'a long and good one';

const expect = baseExpect.configure({ timeout: 20_000 });
test.use({ viewport: { width: 760, height: 480 }, trace: 'off' });
test.describe.configure({ timeout: 120_000 });

let server: Server;

test.beforeAll(async () => {
  const admin = ['--admin-email', EMAIL, '--admin-password', PASSWORD];
  const quick = ['--clock', '20', '--driver', 'fast', '--log-level', 'silent'];
  server = await startServer([...admin, ...quick]);
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

/** Whether an API token is accepted. */
async function isAccepted(token: string): Promise<boolean> {
  try {
    await connect({ baseUrl: server.baseUrl, token }).listUsers();
    return true;
  } catch (error) {
    if (error instanceof ArmError && error.status === 401) return false;
    throw error;
  }
}

test('signs in by password; changes of tokens, users and updates take effect', async ({ page }) => {
  await signIn(page, EMAIL, 'not the right one');
  await expect(page.getByText('E-mail or password is wrong.')).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Users' }).click();
  await expect(page.getByRole('region', { name: 'Profile' })).toContainText(`${EMAIL}Admin`);

  await page.getByLabel('Name of the new token').fill('laptop');
  await page.keyboard.press('Enter');
  const card = page.getByRole('group', { name: 'New token' });
  const secret = (await card.locator('code').textContent()) ?? '';
  expect(await isAccepted(secret)).toBe(true);
  await page.getByRole('button', { name: 'Hide', exact: true }).click();
  expect(await page.content()).not.toContain(secret);
  const laptop = page.getByRole('row', { name: 'laptop' });
  await laptop.getByRole('button', { name: 'Revoke' }).click();
  expect(await isAccepted(secret)).toBe(true);
  await laptop.getByRole('button', { name: 'Revoke permanently' }).click();
  await expect(laptop).toHaveCount(0);
  expect(await isAccepted(secret)).toBe(false);

  await manageUsers(page);
  await installUpdate(page);

  await page.getByRole('button', { name: 'Sign out' }).click();
  // The dialog lies over a page that has read nothing yet.
  await expect(page.locator('#users-list')).toHaveText('Users');
  await expect(page.getByText('does not report the signed-in user')).toBeHidden();
  await signIn(page, 'bob@example.org', PASSWORD);
  await page.getByRole('button', { name: 'Users' }).click();
  await expect(page.getByRole('region', { name: 'Profile' })).toContainText('bob@example.org');
  // A reload needs no password: the session is stored in this tab.
  await page.reload();
  await page.getByRole('button', { name: 'Users' }).click();
  await expect(page.getByRole('region', { name: 'Profile' })).toContainText('bob@example.orgUser');
  await expect(page.getByRole('row', { name: EMAIL })).toContainText('Admin');
  for (const name of ['Add user', 'Delete', 'Check for updates']) {
    await expect(page.getByRole('button', { name })).toBeHidden();
  }
});

/** Adds a user; the last admin cannot be demoted. */
async function manageUsers(page: Page): Promise<void> {
  await page.getByLabel('E-mail of the new user').fill('bob@example.org');
  await page.getByLabel('First password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Add user' }).click();
  await expect(page.getByText('bob@example.org can sign in now.')).toBeVisible();
  const own = page.getByLabel(`Role of ${EMAIL}`);
  await own.selectOption('user');
  await expect(page.getByText('The last admin cannot be deleted or demoted')).toBeVisible();
  await expect(own).toHaveValue('admin');
}

/** An update ends all sessions; the page signs in again by itself with its credentials. */
async function installUpdate(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Check for updates' }).click();
  await expect(page.getByText('Required before any later version')).toBeVisible();
  await page.getByRole('button', { name: 'Install 4.10.0' }).click();
  await expect(page.getByRole('progressbar', { name: 'Installation' })).toBeVisible();
  await expect(page.getByText('Version 4.10.0 is installed.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Install 4.11.2' })).toBeVisible();
}

test('says that nothing can be saved while the disk is full, and no longer once it can', async ({
  page,
}) => {
  const arm = connect({ baseUrl: server.baseUrl, logIn: { email: EMAIL, password: PASSWORD } });
  const [me] = (await arm.listUsers()).users;
  const save = () => arm.createToken({ user_id: me!.id }, { name: 'kept' });
  const notice = page.getByRole('alert').filter({ hasText: 'Nothing can be saved' });
  await signIn(page, EMAIL, PASSWORD);
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(notice).toBeHidden();
  await arm.addFault({ kind: 'disk_full' });
  await expect(save()).rejects.toThrow('503');
  await expect(notice).toBeVisible();
  await expect(notice).toContainText('Motion and reads work.');
  await arm.takeLock();
  const joints = [0.2, 0.5, -1.7, 0, -1.2, 0] as const;
  await arm.goTo({ mode: 'automatic', joints: [...joints] as never });
  await arm.releaseLock();
  await arm.clearFaults();
  await save();
  await expect(notice).toBeHidden();
});

test('lists the tokens and users that others make meanwhile', async ({ page }) => {
  const arm = connect({ baseUrl: server.baseUrl, logIn: { email: EMAIL, password: PASSWORD } });
  const me = (await arm.listUsers()).users.find(({ email }) => email === EMAIL)!;
  await signIn(page, EMAIL, PASSWORD);
  await page.getByRole('button', { name: 'Users' }).click();
  const tokens = page.getByRole('region', { name: 'API tokens' });
  await expect(tokens).toBeVisible();
  await arm.createToken({ user_id: me.id }, { name: 'of a script' });
  await arm.createUser({ email: 'late@example.org', password: 'late-comer-1' });
  await expect(tokens.getByRole('rowheader', { name: 'of a script' })).toBeVisible();
  await expect(page.getByRole('rowheader', { name: 'late@example.org' })).toBeVisible();
});

test('shows an admin what each user uses, and stops the run of another', async ({ page }) => {
  const admin = connect({ baseUrl: server.baseUrl, logIn: { email: EMAIL, password: PASSWORD } });
  const logIn = { email: 'runner@example.org', password: PASSWORD };
  await admin.createUser(logIn);
  const arm = connect({ baseUrl: server.baseUrl, logIn });
  const { workflow } = await arm.createWorkflow(sampleWorkflow());
  const { run } = await arm.startRun({ workflow_id: workflow.id }, { simulate_drivers: true });
  await arm.pauseRun({ run_id: run.id });
  await signIn(page, EMAIL, PASSWORD);
  await page.getByRole('button', { name: 'Users' }).click();
  const usage = page.getByRole('region', { name: 'What users use' });
  const own = usage.getByRole('table', { name: 'What users use' });
  await expect(own.getByRole('row', { name: logIn.email })).toContainText('MiB1 of 100');
  const runs = usage.getByRole('table', { name: 'Runs that are on' });
  const row = runs.getByRole('row', { name: logIn.email });
  await expect(row).toContainText(`${run.id} rules workflow`);
  await row.getByRole('button', { name: 'Stop' }).click();
  await row.getByRole('button', { name: 'Stop the run' }).click();
  await expect(usage.getByText(`The run ${run.id} rules workflow is stopped.`)).toBeVisible();
  await expect(runs).toBeHidden();
  expect((await arm.getRun({ run_id: run.id })).run.state).toBe('stopped');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await signIn(page, logIn.email, PASSWORD);
  await page.getByRole('button', { name: 'Users' }).click();
  await expect(page.getByRole('region', { name: 'Profile' })).toContainText(logIn.email);
  await expect(usage).toBeHidden();
});
