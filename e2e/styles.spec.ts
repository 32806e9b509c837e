/**
 * A page looks the same whichever pages were visited before it: the style sheets of a page, which
 * stay after it, say nothing of another one.
 */
import { expect, type Page } from '@playwright/test';
import { startServer, test } from './server.ts';

const PAGES = ['Live', 'Paths', 'Teach', 'Workflow', 'Simulation', 'Users'] as const;
const PROPERTIES = [
  ...[
    'display',
    'position',
    'flex-direction',
    'flex-wrap',
    'align-items',
    'justify-content',
    'gap',
  ],
  ...['min-height', 'min-width', 'padding', 'margin', 'font-size', 'font-weight', 'line-height'],
  ...['color', 'background-color', 'border-top-width', 'border-top-color', 'border-radius'],
  ...['white-space', 'overflow-wrap', 'text-align'],
];

test.use({ trace: 'off' });
test.describe.configure({ timeout: 240_000 });

/** The looks of each kind of element that is seen: of the same classes and states, in the same place. */
function looksOf(page: Page): Promise<Record<string, string[]>> {
  return page.evaluate((properties) => {
    const STATES = ['disabled', 'aria-current', 'aria-pressed', 'aria-expanded', 'hidden'];
    const nameOf = (one: Element): string => {
      const states = STATES.filter((state) => one.hasAttribute(state));
      const data = [...one.attributes].filter(({ name }) => name.startsWith('data-'));
      const more = [...states, ...data.map(({ name, value }) => `${name}=${value}`)];
      return [one.tagName.toLowerCase(), ...one.classList, ...more].join('.');
    };
    const looks: Record<string, string[]> = {};
    for (const one of document.querySelectorAll('#app *')) {
      if (one instanceof SVGElement || !one.checkVisibility()) continue;
      const path: string[] = [];
      for (let at: Element | null = one; at && at.id !== 'app'; at = at.parentElement) {
        path.unshift(nameOf(at));
      }
      const style = getComputedStyle(one);
      const look = properties.map((name) => `${name}: ${style.getPropertyValue(name)}`).join('; ');
      const key = path.join(' > ');
      looks[key] = [...new Set([...(looks[key] ?? []), look])];
    }
    return looks;
  }, PROPERTIES);
}

/** Shows a page, with a form on the pages that have one. */
async function show(page: Page, name: (typeof PAGES)[number]): Promise<void> {
  const entry = page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name });
  await entry.click();
  await expect(entry).toHaveAttribute('aria-current', 'page');
  const steps = page.getByRole('treeitem');
  if (name !== 'Teach' || (await steps.count()) > 0) return;
  await page.getByRole('button', { name: 'New toolpath' }).click();
  await page.keyboard.press('w');
  await expect(steps).toHaveCount(1);
}

async function open(page: Page, { baseUrl, token }: { baseUrl: string; token: string }) {
  await page.addInitScript(() =>
    localStorage.setItem('armtwin.preferences', '{"hintsShown":true,"theme":"light"}'),
  );
  await page.goto(`${baseUrl}/#token=${token}`);
  await expect(page.locator('.explain')).toContainText('No toolpath is loaded');
  await expect(page.getByRole('button', { name: 'Simulation' })).toBeVisible();
}

test('no page changes the look of another one', async ({ browser }) => {
  const server = await startServer(['--driver', 'fast']);
  const size = { viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' } as const;
  const visited = await browser.newPage(size);
  await open(visited, server);
  for (const name of PAGES) await show(visited, name);
  const changed: string[] = [];
  for (const name of PAGES) {
    const fresh = await browser.newPage(size);
    await open(fresh, server);
    await show(fresh, name);
    await show(visited, name);
    const [alone, after] = [await looksOf(fresh), await looksOf(visited)];
    const both = Object.keys(alone).filter((key) => key in after);
    expect(both.length, name).toBeGreaterThan(60);
    for (const key of both) {
      const other = after[key]!.filter((look) => !alone[key]!.includes(look));
      if (other.length > 0) changed.push(`${name}: ${key}\n  ${alone[key]![0]}\n  ${other[0]}`);
    }
    await fresh.close();
  }
  expect(changed).toEqual([]);
  await visited.close();
  await server.stop();
});
