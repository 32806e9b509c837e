/**
 * Accessibility of every page in light and dark: axe finds no serious problem, and the pages are
 * reachable by keyboard.
 */
import { readFileSync } from 'node:fs';
import { AxeBuilder } from '@axe-core/playwright';
import { expect as baseExpect, type Page } from '@playwright/test';
import { connect } from '../contract/client.ts';
import type { Cell, Toolpath } from '../contract/types.generated.ts';
import { drop } from './plan-page.ts';
import { test } from './server.ts';

const SORTER = new URL('../fixtures/toolpaths/sorter.json', import.meta.url);
const TRAYS = new URL('../fixtures/cells/trays.json', import.meta.url);
/** Impacts that fail the test. */
const FAILING_IMPACTS = ['serious', 'critical'];
const PAGES = ['Live', 'Paths', 'Teach', 'Workflow', 'Simulation', 'Users'];
/** Software rendering is slow on a busy machine. */
const expect = baseExpect.configure({ timeout: 30_000 });

test.use({ viewport: { width: 1280, height: 800 }, trace: 'off' });
test.describe.configure({ timeout: 240_000 });

/** Failing findings as text. */
async function findings(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations
    .filter(({ impact }) => FAILING_IMPACTS.includes(impact ?? ''))
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${help} (${target}) ${failureSummary}`),
    );
}

function railButton(page: Page, label: string) {
  return page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name: label });
}

test('no page has a serious accessibility problem, in light or in dark', async ({
  page,
  server,
}) => {
  const arm = connect({ baseUrl: server.baseUrl, token: server.token });
  const toolpath = JSON.parse(readFileSync(SORTER, 'utf8')) as Toolpath;
  await arm.createToolpath({ name: 'Sorter', toolpath });
  await arm.setCell(JSON.parse(readFileSync(TRAYS, 'utf8')) as Cell);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.goto(server.baseUrl);
  await expect(page.getByRole('dialog')).toBeVisible();
  const found: Record<string, string[]> = { 'sign in': await findings(page) };
  await page.goto(`${server.baseUrl}/?signed-in#token=${server.token}`);
  await expect(page.getByText('acquired on first move').first()).toBeVisible();
  await drop(page, 'sorter.json', JSON.stringify(toolpath));
  await expect(page.getByRole('button', { name: 'Play (Space)' })).toBeEnabled();
  for (const theme of ['light', 'dark']) {
    for (const [index, label] of PAGES.entries()) {
      await page.keyboard.press(String(index + 1));
      await expect(railButton(page, label)).toHaveAttribute('aria-current', 'page');
      found[`${label}, ${theme}`] = await findings(page);
      if (label === 'Paths') {
        // The list of the arm's toolpaths, with the list to compare with.
        await page.locator('.program-title').first().click();
        await page.getByRole('button', { name: 'Choose a toolpath' }).click();
        found[`library, ${theme}`] = await findings(page);
        await page.getByRole('button', { name: 'Choose a toolpath' }).click();
        await page.locator('.program-title').first().click();
      }
      if (label !== 'Simulation') continue;
      // Cell with the form of a part, and all sections unfolded.
      await page.getByRole('button', { name: 'part 1' }).click();
      const folded = page.locator('.simulation-section:not([open]) > summary');
      while ((await folded.count()) > 0) await folded.first().click();
      found[`cell and all sections, ${theme}`] = await findings(page);
      await page.getByRole('button', { name: 'part 1' }).click();
    }
    await page.keyboard.press('1');
    await railButton(page, 'Theme').click();
  }
  const failing = Object.entries(found).filter(([, problems]) => problems.length > 0);
  expect(Object.fromEntries(failing)).toEqual({});
});

test('in forced colours an outline marks what is chosen', async ({ page, server }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto(`${server.baseUrl}/#token=${server.token}`);
  await expect(page.getByText('acquired on first move').first()).toBeVisible();
  await drop(page, 'sorter.json', readFileSync(SORTER, 'utf8'));
  await expect(page.getByRole('button', { name: 'Play (Space)' })).toBeEnabled();
  await page.locator('.row').nth(1).click();
  const outlines = (selector: string) =>
    page
      .locator(`${selector} >> visible=true`)
      .evaluateAll((all) => all.map((each) => getComputedStyle(each).outlineStyle));
  for (const chosen of ['.rail-entry[aria-current]', '.row[aria-selected="true"]']) {
    expect([chosen, await outlines(chosen)]).toEqual([chosen, ['solid']]);
  }
  const pressed = await outlines('.chip[aria-pressed="true"]');
  expect(new Set(pressed)).toEqual(new Set(['solid']));
  expect(await outlines('.chip[aria-pressed="false"]')).not.toContain('solid');
});
