/**
 * Which page is shown. All pages share the frame of the Live page: top bar, scene and notices stay,
 * what lies beside them changes. The others come in chunks of their own when first asked for, and a
 * dropped file opens on the page that shows, else on the Toolpaths page.
 */
import type { ToolpathHead } from '../../contract/types.ts';
import type { ArmStore, ArmView } from '../link/arm-store.ts';
import type { PosedToolpath } from '../panels/collision-switch.ts';
import { readFile } from '../panels/user-file.ts';
import { goneNotice, type Page, type PageParts } from './page.ts';
import { FILES_PAGE, PAGE_ROWS, type PageRow } from './page-rows.ts';

const GONE = goneNotice('This page');

export interface PageSwitch {
  show(page: string): Promise<void>;
  /** Opens a toolpath of the arm on the page that shows, else on the Toolpaths page. */
  openToolpath(head: ToolpathHead): Promise<void>;
  /** What a page has really drawn, for tests; null before it was first shown. */
  readonly drawn: (page: string) => object | null;
  /** What the shown page has posed in place of the arm. */
  readonly posed: () => PosedToolpath | null;
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
function pageOfKey(key: string, view: ArmView): string | undefined {
  const place = Number.parseInt(key, 10) - 1;
  if (place === 0) return 'live';
  const row = PAGE_ROWS[place - 1];
  return row && isOffered(row, view) ? row.name : undefined;
}

function isOffered({ offered }: PageRow, view: ArmView): boolean {
  return offered?.(view) ?? true;
}

/** Keeps the rail to the pages that are there; `lose` is told of those that are not. */
function followOffers({ store, rail }: PageParts, lose: (page: string) => void): void {
  function offer(view: ArmView): void {
    for (const row of PAGE_ROWS) {
      const offered = isOffered(row, view);
      rail.offer(row.name, offered);
      if (!offered) lose(row.name);
    }
  }
  offer(store.view());
  store.subscribe((view, before) => {
    if ((view.sim === null) !== (before.sim === null)) offer(view);
  });
}

/** Loads pages, each once, and keeps them; null for one that cannot be had, which a notice says. */
function createLoader(parts: PageParts, loaded: Map<string, Page>) {
  const pages = new Map<string, Promise<Page>>();
  return async (name: string): Promise<Page | null> => {
    const row = PAGE_ROWS.find((each) => each.name === name);
    if (!row) return null;
    const coming = pages.get(name) ?? row.load(parts);
    pages.set(name, coming);
    const page = await coming.catch(() => null);
    if (!page) {
      pages.delete(name);
      parts.store.set({ notice: GONE });
      return null;
    }
    if (parts.store.view().notice === GONE) parts.store.set({ notice: null });
    loaded.set(name, page);
    return page;
  };
}

/** Shows the page whose number key is pressed, unless somebody types. */
function followKeys(store: ArmStore, show: (page: string) => void): void {
  addEventListener('keydown', (event) => {
    const typing =
      event.target instanceof Element && event.target.matches('input, select, textarea');
    const page = pageOfKey(event.key, store.view());
    if (!page || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (store.view().link !== 'signed-out') show(page);
  });
}

/** Shows the Live page, and the others when asked by rail, key or dropped file. */
export function createPageSwitch(parts: PageParts): PageSwitch {
  const { rail, frame, signIn } = parts;
  const loaded = new Map<string, Page>();
  let shown = 'live';
  let entered: Page | null = null;

  const load = createLoader(parts, loaded);

  async function show(name: string): Promise<void> {
    if (name === shown) return;
    shown = name;
    const page = await load(name);
    if (shown !== name) return;
    if (!page && name !== 'live') {
      shown = frame.dataset['page'] ?? 'live';
      return;
    }
    entered?.leave();
    frame.dataset['page'] = name;
    // On a narrow screen the whole frame scrolls: every page begins at its head.
    frame.scrollTop = 0;
    rail.mark(name);
    entered = page;
    page?.enter();
  }

  /** The page that was asked for last, though it may be on its way, where it can do that. */
  async function pageFor(act: 'openFile' | 'openToolpath'): Promise<string> {
    const name = shown;
    return (await load(name))?.[act] ? name : FILES_PAGE;
  }

  followOffers(parts, (gone) => {
    if (gone === shown) void show('live');
  });
  dropsOf(async (file) => {
    signIn.hide();
    const target = await pageFor('openFile');
    await show(target);
    const page = await load(target);
    await readFile(file, {
      take: (name, text) => page?.openFile?.(name, text),
      refuse: (text) => parts.store.set({ notice: { text, code: '' } }),
    });
  });
  followKeys(parts.store, (name) => void show(name));
  return {
    show,
    async openToolpath(head) {
      const target = await pageFor('openToolpath');
      await show(target);
      (await load(target))?.openToolpath?.(head);
    },
    drawn: (name) => loaded.get(name)?.drawn ?? null,
    posed: () => entered?.posed?.() ?? null,
  };
}
