/** A mirrored arm: the Live page shows admins the difference between the arm and its model. */
import { expect as baseExpect } from '@playwright/test';
import { connect } from '../contract/client.ts';
import { type Server, startServer, test } from './server.ts';

const expect = baseExpect.configure({ timeout: 20_000 });
test.use({ viewport: { width: 1280, height: 800 }, trace: 'off' });
test.describe.configure({ timeout: 120_000 });

let server: Server;

test.beforeAll(async () => {
  server = await startServer(['--driver', 'mirrored', '--bus', 'memory', '--log-level', 'silent']);
});
test.afterAll(() => server.stop());

test('shows the arm minus its model, joint by joint', async ({ page }) => {
  const arm = connect({ baseUrl: server.baseUrl, token: server.token });
  const { mirror, servos } = await arm.getServos();
  expect(mirror).toHaveLength(6);
  expect(servos).toHaveLength(6);
  await page.goto(`${server.baseUrl}/#token=${server.token}`);
  const panel = page.getByRole('region', { name: 'Real minus model' });
  await expect(panel.locator('.joint')).toHaveCount(6);
  await expect(panel.locator('.joint').first()).toContainText(
    /J1max 0\.\d\d°-?0\.\d\d°-?\d+\.\dNm/,
  );
});

test('offers on the Simulation page only what a real arm has', async ({ page }) => {
  await page.goto(`${server.baseUrl}/#token=${server.token}`);
  await page.getByRole('button', { name: 'Simulation', exact: true }).click();
  const column = page.getByRole('region', { name: 'Simulation', exact: true });
  await expect(column.getByText('A real arm:')).toBeVisible();
  for (const name of ['Clock', 'Cell', 'Obstacles', 'Snapshots', 'Recording', 'Reset']) {
    await expect(column.locator('summary', { hasText: name })).toBeHidden();
  }
  const fails = column.getByRole('button', { name: /^Drive fails/ });
  await expect(fails).toBeDisabled();
  await expect(fails).toContainText('The driver mirrored has no simulated world');
  await column.getByRole('button', { name: /^Network slow/ }).click();
  await expect(column.getByRole('button', { name: /^Network slow/ })).toHaveText(/End$/);
});
