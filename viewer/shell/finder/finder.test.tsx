import { parseHTML } from 'linkedom';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createFinder } from './finder.tsx';

vi.mock('../../ui/style-sheets.ts', () => ({ loadStyles: async () => undefined }));

const PAGE = `<div id="app">
  <button class="rail-entry" data-page="teach"><svg class="icon icon-teach"><path d="M1 1"/></svg>
    <span>Teach</span></button>
  <button class="chip" aria-pressed="true">Trail</button>
  <button class="primary" disabled>Run</button>
</div>`;

let dom: ReturnType<typeof parseHTML>;
beforeEach(() => {
  dom = parseHTML(`<html><body>${PAGE}</body></html>`);
  // What it lacks of a browser.
  Object.assign(dom.Element.prototype, {
    checkVisibility: () => true,
    scrollIntoView: () => undefined,
  });
  vi.stubGlobal('document', dom.document);
  vi.stubGlobal('Element', dom.Element);
  vi.stubGlobal('MutationObserver', dom.MutationObserver);
});
afterEach(() => vi.unstubAllGlobals());

async function openFinder() {
  const app = dom.document.getElementById('app')! as HTMLElement;
  const open = vi.fn();
  const toolpaths = () => [{ id: 7, name: 'Sorting' } as never];
  const finder = await createFinder({ app, toolpaths, open });
  const dialog = app.querySelector('dialog')!;
  Object.defineProperty(dialog, 'open', { get: () => dialog.hasAttribute('open') });
  dialog.showModal = () => dialog.setAttribute('open', '');
  dialog.close = () => dialog.removeAttribute('open');
  await act(() => finder.toggle());
  const press = (key: string) =>
    act(() => {
      const event = new dom.Event('keydown', { bubbles: true, cancelable: true });
      dialog.dispatchEvent(Object.assign(event, { key }));
    });
  const rows = () =>
    [...dialog.querySelectorAll('.finder-row')].map((row) => {
      const selected = row.getAttribute('aria-selected') === 'true' ? '> ' : '';
      return (
        selected +
        [...row.children]
          .map(({ textContent }) => textContent)
          .join(' ')
          .trim()
      );
    });
  return { app, dialog, open, press, rows };
}

it('lists pages, enabled commands and toolpaths, with the state of switches', async () => {
  const { rows, dialog } = await openFinder();
  expect(rows()).toEqual(['> Teach Page', 'Trail on Command', 'Sorting Toolpath']);
  expect(dialog.querySelector('.icon-teach path')?.getAttribute('d')).toBe('M1 1');
});

it('runs the selected row, and closes', async () => {
  const { open, press, rows, dialog } = await openFinder();
  await press('PageDown');
  expect(rows().at(-1)).toBe('> Sorting Toolpath');
  await press('Enter');
  expect(open).toHaveBeenCalledWith({ id: 7, name: 'Sorting' });
  expect(dialog.hasAttribute('open')).toBe(false);
});

it('lists what comes while it is open, though it hears late of a close before', async () => {
  const { app, rows, dialog } = await openFinder();
  const input = dialog.querySelector('input')!;
  await act(() => {
    input.value = 'cancel';
    input.dispatchEvent(new dom.Event('input', { bubbles: true }));
  });
  expect(rows()).toEqual([]);
  dialog.dispatchEvent(new dom.Event('close'));
  const cancel = dom.document.createElement('button');
  cancel.className = 'tool';
  cancel.textContent = 'Cancel the motion';
  app.append(cancel);
  await vi.waitFor(() => expect(rows()).toEqual(['> Cancel the motion Command']));
});
