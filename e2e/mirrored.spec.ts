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
