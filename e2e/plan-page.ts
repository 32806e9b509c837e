/** The Toolpaths page as tests meet it: opened, fed with a file, and read back. */
import type { Page } from '@playwright/test';
import type { ArmWindow, PlanLayer } from '../viewer/test-window.ts';

/** The page's window with what it lets tests read. */
export interface DrawingWindow {
  readonly armtwin: Omit<ArmWindow, 'page'> & { page(name: 'paths'): PlanLayer | null };
}

/** Opens the page without signing in; collects calls to the server and what the console says. */
export async function open(page: Page, url: string) {
  const heard = { calls: [] as string[], complaints: [] as string[] };
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/^\/(api|sim)\b/.test(pathname)) heard.calls.push(pathname);
  });
  page.on('websocket', (socket) => heard.calls.push(socket.url()));
  page.on('console', (message) => {
    if (message.type() === 'error') heard.complaints.push(message.text());
  });
  page.on('pageerror', (error) => heard.complaints.push(error.message));
  await page.goto(url);
  return heard;
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

/** The zones that can be seen. */
export function drawnZones(page: Page) {
  return page.evaluate(
    () =>
      (globalThis as typeof globalThis & DrawingWindow).armtwin.page('paths')?.drawn().zones ?? [],
  );
}
