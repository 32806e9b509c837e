import { parseHTML } from 'linkedom';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createRail } from './rail.tsx';

beforeEach(() => {
  const { document } = parseHTML('<html><body></body></html>');
  vi.stubGlobal('document', document);
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined }));
});
afterEach(() => vi.unstubAllGlobals());

function drawRail() {
  const deeds: string[] = [];
  const note = (deed: string) => () => deeds.push(deed);
  const rail = createRail({
    pages: [
      { name: 'live', label: 'Live', icon: 'live' },
      { name: 'simulation', label: 'Simulation', icon: 'simulation' },
    ],
    show: (page) => deeds.push(page),
    openFinder: note('finder'),
    openHelp: note('help'),
    theme: (theme) => deeds.push(theme),
    signOut: note('sign out'),
  });
  const entry = (page: string) => rail.element.querySelector(`[data-page="${page}"]`)!;
  const press = (selector: string) =>
    act(() => void rail.element.querySelector<HTMLElement>(selector)!.click());
  return { rail, deeds, entry, press };
}

it('marks the shown page, and hides the page that is withheld', async () => {
  const { rail, entry } = drawRail();
  expect(entry('live').getAttribute('aria-current')).toBe('page');
  await act(() => rail.mark('simulation'));
  expect(entry('live').hasAttribute('aria-current')).toBe(false);
  expect(entry('simulation').getAttribute('aria-current')).toBe('page');
  await act(() => rail.setOffered('simulation', false));
  expect(entry('simulation').hasAttribute('hidden')).toBe(true);
  await act(() => rail.setOffered('simulation', true));
  expect(entry('simulation').hasAttribute('hidden')).toBe(false);
});

it('applies the theme at once and with each press of its button', async () => {
  const { deeds, press } = drawRail();
  await press('[title="Theme"]');
  expect(deeds).toEqual(['light', 'dark']);
  expect(document.documentElement.dataset['theme']).toBe('dark');
  await press('.rail-find');
  await press('[data-page="simulation"]');
  expect(deeds.slice(2)).toEqual(['finder', 'simulation']);
});
