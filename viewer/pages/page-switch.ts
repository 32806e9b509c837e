/**
 * Which page is shown. All pages share the frame of the Live page: top bar, scene and notices stay,
 * what lies beside them changes. The others come in chunks of their own when first asked for, and a
 * file dropped anywhere opens on the Toolpaths page.
 */
import type { Page, PageParts } from './page.ts';
import { FILES_PAGE, PAGE_ROWS } from './page-rows.ts';

export interface PageSwitch {
  show(page: string): Promise<void>;
  /** What a page has really drawn, for tests; null before it was first shown. */
  readonly drawn: (page: string) => object | null;
}

function dropsOf(open: (file: File) => void): void {
  addEventListener('dragover', (event) => event.preventDefault());
  addEventListener('drop', (event) => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file) open(file);
  });
}

/** The page of a number key: 1 is the Live page, the others follow in the order of their rows. */
function pageOfKey(key: string): string | undefined {
  return ['live', ...PAGE_ROWS.map((row) => row.name)][Number.parseInt(key, 10) - 1];
}

/** Shows the Live page, and the others when asked by rail, key or dropped file. */
export function createPageSwitch(parts: PageParts): PageSwitch {
  const { rail, frame, signIn } = parts;
  const pages = new Map<string, Promise<Page>>();
  const loaded = new Map<string, Page>();
  let shown = 'live';
  let entered: Page | null = null;

  async function load(name: string): Promise<Page | null> {
    const row = PAGE_ROWS.find((each) => each.name === name);
    if (!row) return null;
    const coming = pages.get(name) ?? row.load(parts);
    pages.set(name, coming);
    const page = await coming;
    loaded.set(name, page);
    await page.ready;
    return page;
  }

  async function show(name: string): Promise<void> {
    if (name === shown) return;
    shown = name;
    const page = await load(name);
    if (shown !== name) return;
    entered?.leave();
    frame.dataset['page'] = name;
    rail.mark(name);
    entered = page;
    page?.enter();
  }

  dropsOf(async (file) => {
    signIn.hide();
    await show(FILES_PAGE);
    (await load(FILES_PAGE))?.openFile?.(file.name, await file.text());
  });
  addEventListener('keydown', (event) => {
    const typing =
      event.target instanceof Element && event.target.matches('input, select, textarea');
    const page = pageOfKey(event.key);
    if (!page || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (parts.store.view().link !== 'signed-out') void show(page);
  });
  return { show, drawn: (name) => loaded.get(name)?.drawn ?? null };
}
