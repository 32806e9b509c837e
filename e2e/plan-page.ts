/** Helpers for tests of the Paths page: open it, drop a file, read the drawn state. */
import type { Page } from '@playwright/test';
import type { ArmWindow, ToolpathLayer } from '../viewer/test-window.ts';

/** The page's window with the state exposed to tests. */
export interface DrawingWindow {
  readonly armtwin: Omit<ArmWindow, 'page'> & { page(name: 'paths'): ToolpathLayer | null };
}

/** Opens a URL; collects calls to the server and console errors. */
export async function open(page: Page, url: string) {
  const observed = { calls: [] as string[], consoleErrors: [] as string[] };
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/^\/(api|sim)\b/.test(pathname)) observed.calls.push(pathname);
  });
  page.on('websocket', (socket) => observed.calls.push(socket.url()));
  page.on('console', (message) => {
    if (message.type() === 'error') observed.consoleErrors.push(message.text());
  });
  page.on('pageerror', (error) => observed.consoleErrors.push(error.message));
  await page.goto(url);
  return observed;
}

/** Drops a file with that name and text onto the page. */
export async function drop(page: Page, name: string, text: string): Promise<void> {
  const data = await page.evaluateHandle(
    ([file, content]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([content!], file!, { type: 'application/json' }));
      return transfer;
    },
    [name, text],
  );
  await page.dispatchEvent('body', 'drop', { dataTransfer: data });
}

/** Joint angles (rad) read back from the drawn ghost. */
export function ghost(page: Page): Promise<readonly number[] | null> {
  return page.evaluate(
    () =>
      (globalThis as typeof globalThis & DrawingWindow).armtwin.page('paths')?.drawn().joints ??
      null,
  );
}

/** The visible zones. */
export function drawnZones(page: Page) {
  return page.evaluate(
    () =>
      (globalThis as typeof globalThis & DrawingWindow).armtwin.page('paths')?.drawn().zones ?? [],
  );
}

/**
 * Lets the draw calls return at once, as with a graphics card: in software the main thread waits
 * for each picture.
 */
export function skipRasterization(page: Page): Promise<unknown> {
  return page.addInitScript(() => {
    const gl = WebGL2RenderingContext.prototype;
    const nothing = () => undefined;
    Object.assign(gl, { drawElements: nothing, drawArrays: nothing, clear: nothing });
    Object.assign(gl, { drawElementsInstanced: nothing, drawArraysInstanced: nothing });
  });
}
