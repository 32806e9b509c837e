/**
 * Every page of the rail, in light and dark, scanned for what keeps people out (axe), and reached
 * and left by keyboard alone.
 */
import { readFileSync } from 'node:fs';
import { AxeBuilder } from '@axe-core/playwright';
import { expect as impatientExpect, type Page } from '@playwright/test';
import { connect } from '../contract/client.ts';
import type { Toolpath } from '../contract/types.ts';
import { drop } from './plan-page.ts';
import { test } from './server.ts';

const SORTER = new URL('../fixtures/toolpaths/sorter.json', import.meta.url);
/** What a finding must weigh to fail the test. */
const GRAVE = ['serious', 'critical'];
const PAGES = ['Live', 'Paths', 'Teach', 'Workflow', 'Bench', 'People'];
/** Drawing without a graphics card takes long on a busy machine. */
const expect = impatientExpect.configure({ timeout: 30_000 });

test.use({ viewport: { width: 1280, height: 800 }, trace: 'off' });
test.describe.configure({ timeout: 240_000 });

/** Grave findings as short sentences. */
async function findings(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations
    .filter(({ impact }) => GRAVE.includes(impact ?? ''))
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${help} (${target}) ${failureSummary}`),
    );
}

function entry(page: Page, words: string) {
  return page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name: words });
}

test('no page keeps anybody out, in light or in dark', async ({ page, server }) => {
  const arm = connect({ baseUrl: server.baseUrl, token: server.token });
  const toolpath = JSON.parse(readFileSync(SORTER, 'utf8')) as Toolpath;
  await arm.createToolpath({ name: 'Sorter', toolpath });
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.goto(server.baseUrl);
  await expect(page.getByRole('dialog')).toBeVisible();
  const found: Record<string, string[]> = { 'sign in': await findings(page) };
  await page.goto(`${server.baseUrl}/?signed-in#token=${server.token}`);
  await expect(page.getByText('taken on first move').first()).toBeVisible();
  await drop(page, 'sorter.json', JSON.stringify(toolpath));
  await expect(page.getByRole('button', { name: 'Play (Space)' })).toBeEnabled();
  for (const theme of ['light', 'dark']) {
    for (const [index, words] of PAGES.entries()) {
      await page.keyboard.press(String(index + 1));
      await expect(entry(page, words)).toHaveAttribute('aria-current', 'page');
      found[`${words}, ${theme}`] = await findings(page);
    }
    await page.keyboard.press('1');
    await entry(page, 'Theme').click();
  }
  const wrong = Object.entries(found).filter(([, sentences]) => sentences.length > 0);
  expect(Object.fromEntries(wrong)).toEqual({});
});
