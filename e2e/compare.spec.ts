/** Comparison of two toolpaths, and of a run with its plan, on the Paths page. */
import { readFileSync } from 'node:fs';
import { expect as baseExpect } from '@playwright/test';
import { connect } from '../contract/client.ts';
import type { Toolpath } from '../contract/types.generated.ts';
import { drop } from './plan-page.ts';
import { startServer, test } from './server.ts';

const PATH = new URL('../fixtures/toolpaths/pick-and-place.json', import.meta.url);
const toolpath = JSON.parse(readFileSync(PATH, 'utf8')) as Toolpath;
/** Software rendering is slow on a busy machine. */
const expect = baseExpect.configure({ timeout: 30_000 });

test.use({ viewport: { width: 1100, height: 720 }, trace: 'off' });
test.describe.configure({ timeout: 120_000 });

test('lists the steps that differ, and shows the deviation of a run from its plan', async ({
  page,
}) => {
  const server = await startServer(['--driver', 'fast']);
  const arm = connect({ baseUrl: server.baseUrl, token: server.token });
  const slower = structuredClone(toolpath);
  slower.metadata.default_max_speed = 0.05;
  await arm.createToolpath({ name: 'Slower', toolpath: slower });
  await page.goto(`${server.baseUrl}/#token=${server.token}`);
  await expect(page.getByText('acquired on first move').first()).toBeVisible();
  await drop(page, 'pick.json', JSON.stringify(toolpath));
  const compare = page.getByRole('region', { name: 'Compare with' });
  await compare.getByRole('button', { name: 'Choose a toolpath' }).click();
  await compare.getByRole('button', { name: 'Slower', exact: true }).click();
  const compared = page.getByRole('region', { name: 'Compare with' }).locator('.compare-body');
  await expect(compared).toContainText(/\d+ steps differ\./);
  await expect(compared.locator('tbody tr').first()).toBeVisible();
  await page.getByRole('button', { name: 'Stop comparing' }).click();
  await expect(compared).toBeEmpty();

  await page.getByRole('button', { name: 'Deviation' }).click();
  await page.getByRole('button', { name: 'Load', exact: true }).click();
  await expect
    .poll(async () => (await arm.getSnapshot()).snapshot.control.toolpath_name)
    .toBe('pick');
  await page.keyboard.press('Shift+R');
  const timeline = page.locator('.timeline-sheet');
  await expect(timeline).toHaveAttribute('aria-description', /^max 0\.0\d\d mm/);
  await server.stop();
});
