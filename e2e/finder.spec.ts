/** The finder: pages, commands and toolpaths by a few letters, with the keyboard only. */
import { readFileSync } from 'node:fs';
import { AxeBuilder } from '@axe-core/playwright';
import { expect as baseExpect, type Page } from '@playwright/test';
import { connect } from '../contract/client.ts';
import type { Toolpath } from '../contract/types.generated.ts';
import { startServer, test } from './server.ts';

const SORTER = new URL('../fixtures/toolpaths/sorter.json', import.meta.url);
const expect = baseExpect.configure({ timeout: 20_000 });

test.use({ viewport: { width: 760, height: 480 }, trace: 'off' });
test.describe.configure({ timeout: 120_000 });

test.beforeAll(async ({ server }) => {
  const arm = connect({ baseUrl: server.baseUrl, token: server.token });
  // The specs before this one may have left the arm in an error.
  await arm.resetTwin({});
  const toolpath = JSON.parse(readFileSync(SORTER, 'utf8')) as Toolpath;
  for (const name of ['Alpha', 'Sorting of parts', 'Parts away']) {
    await arm.createToolpath({ name, toolpath });
  }
});

function results(page: Page) {
  return page.getByRole('listbox', { name: 'Results' }).getByRole('option');
}

function selected(page: Page) {
  return page.getByRole('listbox', { name: 'Results' }).getByRole('option', { selected: true });
}

/** Opens the finder and types. */
async function find(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: /Find a page/ })).toBeFocused();
  await page.keyboard.type(text);
}

test('finds and runs entries with the keyboard only', async ({ page, server }) => {
  await page.goto(`${server.baseUrl}/#token=${server.token}`);
  await expect(page.getByText('Ready').first()).toBeVisible();
  await find(page, 'tea');
  await expect(selected(page)).toContainText('Teach');
  await page.keyboard.press('Enter');
  await expect(page.getByText('No toolpath is open', { exact: false })).toBeVisible();
  // The toolpath opens on the shown page, because that page can open toolpaths.
  await find(page, 'parts');
  await expect(results(page)).toHaveCount(2);
  await expect(selected(page)).toContainText('Parts away');
  await page.keyboard.press('ArrowDown');
  await expect(selected(page)).toContainText('Sorting of parts');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Name of the toolpath')).toHaveValue('Sorting of parts');
  // A switch of the page.
  const zones = page.getByRole('group', { name: 'Layers' }).getByRole('button', { name: 'Zones' });
  await expect(zones).toHaveAttribute('aria-pressed', 'true');
  await find(page, 'zones');
  await page.keyboard.press('Enter');
  await expect(zones).toHaveAttribute('aria-pressed', 'false');
  await find(page, 'no such thing');
  await expect(page.getByText('No matches.')).toBeVisible();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await find(page, '');
  const { violations } = await new AxeBuilder({ page }).include('.finder').analyze();
  expect(violations.map(({ id }) => id)).toEqual([]);
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog')).toBeHidden();
});

test('lists only enabled buttons, and moves the arm only through the button of the page', async ({
  page,
  server,
}) => {
  const arm = connect({ baseUrl: server.baseUrl, token: server.token });
  await page.goto(`${server.baseUrl}/#token=${server.token}`);
  await expect(page.getByText('Ready').first()).toBeVisible();
  // No toolpath is loaded: Run is disabled, so the finder lists the samples only.
  await find(page, 'run');
  const runs = results(page).filter({ hasText: /^Run/ });
  await expect(runs).toHaveText([/^Run “Pick and place”/, /^Run “Sorter”/, /^Run “Assay”/]);
  await page.keyboard.press('Escape');
  await arm.takeLock();
  const { toolpaths } = await arm.listToolpaths();
  await arm.useToolpath({ toolpath_id: toolpaths[0]!.id });
  await arm.releaseLock();
  await expect(page.locator('.motion').getByRole('button', { name: 'Run' })).toBeEnabled();
  await find(page, 'run');
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await arm.getSnapshot()).snapshot.control.state).toBe('running');
  // The page may receive the state only now; the finder updates its entries.
  await find(page, 'cancel');
  await expect(selected(page)).toContainText('Cancel the motion');
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await arm.getSnapshot()).snapshot.control.state).toBe('ready');
  await page.getByTitle('Release the lock').click();
});

test('shows a notice when a page cannot be loaded, and stays on the current page', async ({
  page,
  server,
}) => {
  await page.route(/users-page-.*\.js$/, (route) => route.abort());
  await page.goto(`${server.baseUrl}/#token=${server.token}`);
  await expect(page.getByText('Ready').first()).toBeVisible();
  const rail = page.getByRole('navigation', { name: 'Pages' });
  await rail.getByRole('button', { name: 'Users' }).click();
  await expect(page.getByText('This page could not be loaded from the server.')).toBeVisible();
  await expect(rail.getByRole('button', { name: 'Live' })).toHaveAttribute('aria-current', 'page');
  // Now the script loads, but not the style sheet; then both.
  await page.unroute(/users-page-.*\.js$/);
  await page.route(/users-.*\.css$/, (route) => route.abort());
  const failedRequest = page.waitForEvent('requestfailed', (request) =>
    request.url().endsWith('.css'),
  );
  await rail.getByRole('button', { name: 'Users' }).click();
  await failedRequest;
  await expect(rail.getByRole('button', { name: 'Live' })).toHaveAttribute('aria-current', 'page');
  await page.unroute(/users-.*\.css$/);
  await rail.getByRole('button', { name: 'Users' }).click();
  await expect(page.getByRole('heading', { name: 'API tokens' })).toBeVisible();
  await expect(page.getByText('This page could not be loaded from the server.')).toBeHidden();
});

for (const [name, viewport] of [
  ['a phone', { width: 390, height: 844 }],
  // The offer of samples and the hint that says the same would cover the arm.
  ['a desktop at 200 %, one after the other,', { width: 720, height: 450 }],
] as const) {
  test(`covers no button with a hint or an explanation on ${name}`, async ({ browser, server }) => {
    const arm = connect({ baseUrl: server.baseUrl, token: server.token });
    await arm.resetTwin({ scopes: ['state'] });
    const context = await browser.newContext({ viewport, reducedMotion: 'reduce' });
    const page = await context.newPage();
    await page.goto(`${server.baseUrl}/#token=${server.token}`);
    const hints = page.getByRole('region', { name: 'Hints' });
    await expect(page.locator('.explain')).toContainText('Run a sample');
    const covered = () =>
      page.evaluate(() => {
        const shown = [...document.querySelectorAll('.hint, .tabs, .view-bar, .motion, .rail')];
        return shown
          .flatMap((part) => [...part.querySelectorAll('button')])
          .filter((each) => each.checkVisibility())
          .filter((each) => {
            const { left, top, width, height } = each.getBoundingClientRect();
            const [x, y] = [left + width / 2, top + height / 2];
            // The last entries of the navigation are a swipe away.
            if (each.matches('.rail-entry') && (x > innerWidth || y > innerHeight)) return false;
            const at = document.elementFromPoint(x, y);
            return at !== each && !each.contains(at);
          })
          .map((each) => each.getAttribute('aria-label') ?? each.textContent);
      });
    // Styles of the first visit arrive one after the other.
    await expect.poll(covered).toEqual([]);
    if (viewport.height < 560) {
      await expect(hints).toBeHidden();
      const { toolpaths } = await arm.listToolpaths();
      await arm.takeLock();
      await arm.useToolpath({ toolpath_id: toolpaths[0]!.id });
      await arm.releaseLock();
    }
    await expect(hints).toContainText('1 of 4');
    await expect.poll(covered).toEqual([]);
    await context.close();
  });
}

for (const width of [320, 360, 390]) {
  test(`has a way in on a phone of ${width} px, beside the other entries`, async ({
    page,
    server,
  }) => {
    await page.setViewportSize({ width, height: 700 });
    await page.goto(`${server.baseUrl}/#token=${server.token}`);
    const rail = page.getByRole('navigation', { name: 'Pages' });
    await expect(rail.getByRole('button', { name: 'Simulation' })).toBeVisible();
    const boxes = await rail.locator('.rail-entry:visible').evaluateAll((all) =>
      all.map((each) => {
        const [icon, label] = [...each.children].map((part) => part.getBoundingClientRect());
        const from = Math.min(icon!.left, label!.left);
        const to = Math.max(icon!.right, label!.right);
        return { from, to, width: each.clientWidth, height: each.clientHeight };
      }),
    );
    expect(boxes.length).toBe(10);
    // Large enough for a finger, and the pages are in sight; the others are a swipe away.
    expect(Math.min(...boxes.map((box) => Math.min(box.width, box.height)))).toBeGreaterThan(43);
    expect(boxes.slice(0, 6).every(({ from, to }) => from >= 0 && to <= width)).toBe(true);
    expect(boxes.every(({ from }, i) => i === 0 || from >= boxes[i - 1]!.to)).toBe(true);
    const last = rail.getByRole('button', { name: 'Sign out' });
    await last.scrollIntoViewIfNeeded();
    await expect(last).toBeInViewport({ ratio: 0.9 });
    await rail.getByRole('button', { name: 'Find', exact: true }).click();
    await page.getByRole('combobox', { name: /Find a page/ }).fill('tea');
    await page.getByRole('option', { name: 'Teach' }).click();
    await expect(page.getByText('No toolpath is open', { exact: false })).toBeVisible();
  });
}

test('shows four hints on the first visit only, over nothing, and again from Help', async ({
  browser,
  server,
}) => {
  const phone = { width: 390, height: 844 };
  const context = await browser.newContext({ viewport: phone, reducedMotion: 'reduce' });
  const page = await context.newPage();
  const hints = page.getByRole('region', { name: 'Hints' });
  await page.goto(`${server.baseUrl}/#token=${server.token}`);
  await expect(hints).toContainText('1 of 4');
  const box = async (selector: string) => (await page.locator(selector).boundingBox())!;
  const [card, row] = [await box('.hint'), await box('.motion')];
  expect(card.y + card.height <= row.y || card.y >= row.y + row.height).toBe(true);
  expect(card.x >= 0 && card.x + card.width <= phone.width).toBe(true);
  expect(await page.evaluate(() => document.querySelector('.hint')!.getAnimations().length)).toBe(
    0,
  );
  const { violations } = await new AxeBuilder({ page }).include('.hint').analyze();
  expect(violations.map(({ id }) => id)).toEqual([]);
  for (const count of ['2 of 4', '3 of 4', '4 of 4']) {
    await hints.getByRole('button', { name: 'Next' }).click();
    await expect(hints).toContainText(count);
  }
  await hints.getByRole('button', { name: 'Done' }).click();
  await expect(hints).toBeHidden();
  await page.reload();
  await expect(page.getByText('Ready').first()).toBeVisible();
  await page.keyboard.press('?');
  await expect(hints).toBeHidden();
  await page.getByRole('button', { name: 'Show the hints again' }).click();
  await expect(hints).toContainText('1 of 4');
  await page.keyboard.press('Escape');
  await expect(hints).toBeHidden();
  expect(await page.locator('[data-hinted]').count()).toBe(0);
  await context.close();
});

test('goes on to the next hint when what a hint asks for is done', async ({ browser }) => {
  const server = await startServer(['--driver', 'fast']);
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const hints = page.getByRole('region', { name: 'Hints' });
  await page.goto(`${server.baseUrl}/#token=${server.token}`);
  await expect(hints).toContainText('1 of 4');
  // The wheel is the second hint's: it does not count before.
  await page.mouse.move(500, 450);
  await page.mouse.wheel(0, 200);
  await expect(hints).toContainText('1 of 4');
  await page.getByRole('button', { name: 'Run “Pick and place”' }).click();
  await expect(hints).toContainText('2 of 4');
  await page.mouse.move(500, 450);
  await page.mouse.down();
  await page.mouse.move(560, 470, { steps: 4 });
  await page.mouse.up();
  await expect(hints).toContainText('3 of 4');
  await page.locator('.explain-more').click();
  await expect(hints).toContainText('4 of 4');
  await page.keyboard.press('Escape');
  // The page that is asked for last is shown alone: Teach may still be loading.
  for (const name of ['Teach', 'Live']) {
    const entry = page.getByRole('button', { name, exact: true });
    await entry.click();
    await expect(entry).toHaveAttribute('aria-current', 'page');
  }
  await expect(hints).toBeHidden();
  await context.close();
  await server.stop();
});
