/** The timeline of the Paths page: playing, scrubbing and looping, by keyboard and pointer. */
import { readFileSync } from 'node:fs';
import { expect as baseExpect } from '@playwright/test';
import { drop, open } from './plan-page.ts';
import { test } from './server.ts';

const SORTER = readFileSync(new URL('../fixtures/toolpaths/sorter.json', import.meta.url), 'utf8');
const expect = baseExpect.configure({ timeout: 20_000 });

test.use({ viewport: { width: 1000, height: 640 }, trace: 'off' });
test.describe.configure({ timeout: 120_000 });

test('plays with the keyboard only, and returns to the live view', async ({ page, server }) => {
  await open(page, `${server.baseUrl}/#token=${server.token}`);
  await expect(page.getByText('Ready').first()).toBeVisible();
  await page.keyboard.press('2');
  await expect(page.getByText('Drop a toolpath here')).toBeVisible();
  await drop(page, 'sorter.json', SORTER);
  await expect(page.getByRole('treeitem').first()).toBeVisible();
  await page.keyboard.press('Home');
  await page.keyboard.press(' ');
  await expect(page.getByRole('button', { name: 'Pause (Space)' })).toBeVisible();
  const time = page.getByRole('slider', { name: 'Time' });
  await expect
    .poll(async () => Number(await time.getAttribute('aria-valuenow')))
    .toBeGreaterThan(0.5);
  await page.keyboard.press(' ');
  await page.keyboard.press('1');
  await expect(page.getByRole('tree')).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Joint velocity' })).toBeVisible();
});

test('loops a range of the path, set by keys, by a handle and on the ruler', async ({
  page,
  server,
}) => {
  await open(page, server.baseUrl);
  await drop(page, 'sorter.json', SORTER);
  await expect(page.getByRole('treeitem').first()).toBeVisible();
  const time = page.getByRole('slider', { name: 'Time' });
  const now = async () => Number(await time.getAttribute('aria-valuenow'));
  const [from, to] = ['Loop start', 'Loop end'].map((name) => page.getByRole('slider', { name }));
  await time.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('b');
  await expect(to!).toHaveAttribute('aria-valuenow', '0.10');
  for (let i = 0; i < 3; i++) await to!.press('Shift+ArrowRight');
  await from!.press('Shift+ArrowRight');
  await expect(from!).toHaveAttribute('aria-valuenow', '0.50');
  await expect(to!).toHaveAttribute('aria-valuenow', '1.60');
  expect(await now()).toBe(0);
  await page.getByRole('button', { name: 'Play (Space)' }).click();
  // Without the loop range, playback would stop at the end of the path.
  let highest = 0;
  let turns = 0;
  for (let last = 0; turns < 3; ) {
    const at = await now();
    if (at < last) turns++;
    last = at;
    highest = Math.max(highest, at);
  }
  expect(highest).toBeLessThanOrEqual(1.6);
  await page.keyboard.press(' ');
  await page.keyboard.press('x');
  await expect(from!).toBeHidden();
  const { x, y, width } = (await time.boundingBox())!;
  await page.mouse.move(x + width * 0.4, y + 8);
  await page.mouse.down();
  await page.mouse.move(x + width * 0.6, y + 8, { steps: 4 });
  await page.mouse.up();
  const [low, high] = await Promise.all(
    [from!, to!].map(async (handle) => Number(await handle.getAttribute('aria-valuenow'))),
  );
  expect(high! - low!).toBeGreaterThan(2);
  await page.getByTitle('Clear the loop range (X)').click();
  await expect(to!).toBeHidden();
});
