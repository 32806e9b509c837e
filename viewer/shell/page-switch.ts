/**
 * The switch between the pages. All pages share the frame of the Live page: top bar, scene and
 * notices stay, the panels around them change. A dropped file opens on the shown page if that page
 * can open files, else on the Paths page.
 */

import { computed } from '@preact/signals';
import type { ToolpathHead } from '../../contract/types.generated.ts';
import type { ArmView } from '../link/arm-view.ts';
import { loadFailedNotice } from '../link/failure-notice.ts';
import type { PosedToolpath } from '../toolpath/posed-toolpath.ts';
import { isTyped, onPageKey } from '../ui/page-key.ts';
import { NO_PLACE } from '../ui/place.ts';
import { readFile } from '../ui/user-file.ts';
import { type Address, createHistory, parseAddress } from './address.ts';
import type { LivePanels } from './frame.tsx';
import type { Page, PageParts } from './page.ts';
import type { PageEntry } from './page-entry.ts';

/** The page that opens dropped files by default. */
const DROP_PAGE = 'paths';

const LOAD_FAILED = loadFailedNotice('This page');

export interface PageSwitchParts extends Omit<PageParts, 'onPlace'> {
  /** The pages in the order of their number keys, from 2 on. */
  readonly pages: readonly PageEntry[];
  /** The Live page, which is there from the start. */
  readonly live: Pick<LivePanels, 'place' | 'look'>;
}
type Parts = PageSwitchParts & PageParts;

function onFileDrop(open: (file: File) => void): void {
  addEventListener('dragover', (event) => event.preventDefault());
  addEventListener('drop', (event) => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file) open(file);
  });
}

/** The page of a number key: 1 is the Live page. */
function pageOfKey(key: string, pages: readonly PageEntry[], view: ArmView): string | undefined {
  const index = Number.parseInt(key, 10) - 1;
  if (index === 0) return 'live';
  const entry = pages[index - 1];
  return entry && isOffered(entry, view) ? entry.name : undefined;
}

function isOffered({ offered }: PageEntry, view: ArmView): boolean {
  return offered?.(view) ?? true;
}

/** Shows in the rail only the offered pages; calls `onWithdrawn` with each of the others. */
function syncRail({ store, rail, pages }: Parts, onWithdrawn: (page: string) => void): void {
  computed(() => store.shown.sim.value !== null).subscribe(() => {
    for (const entry of pages) {
      const offered = isOffered(entry, store.view());
      rail.setOffered(entry.name, offered);
      if (!offered) onWithdrawn(entry.name);
    }
  });
}

/** Loads each page once; returns null and shows a notice when loading fails. */
function createLoader(parts: Parts, loaded: Map<string, Page>) {
  const started = new Map<string, Promise<Page>>();
  return async (name: string): Promise<Page | null> => {
    const entry = parts.pages.find((each) => each.name === name);
    if (!entry) return null;
    const loading = started.get(name) ?? entry.load(parts);
    started.set(name, loading);
    const page = await loading.catch(() => null);
    if (!page) {
      started.delete(name);
      parts.store.set({ notice: LOAD_FAILED });
      return null;
    }
    if (parts.store.view().notice === LOAD_FAILED) parts.store.set({ notice: null });
    loaded.set(name, page);
    return page;
  };
}

/** Shows the page whose number key is pressed, unless the user types in a field. */
function bindPageKeys({ store, pages }: Parts, show: (page: string) => void): void {
  onPageKey((event) => {
    const page = pageOfKey(event.key, pages, store.view());
    if (!page || isTyped(event)) return;
    if (store.view().link !== 'signed-out') show(page);
  });
}

/** The switch of the pages; it starts on the Live page and follows keys and dropped files. */
export class PageSwitch {
  private readonly parts: Parts;
  private readonly history = createHistory((address) => void this.open(address));
  private readonly loaded = new Map<string, Page>();
  private readonly load: (name: string) => Promise<Page | null>;
  /** The page requested last; it may still load. */
  private wanted = 'live';
  private entered: Page | null = null;
  /** True while an address is being opened: what is on the way there is not written. */
  private opening = false;
  /** Number of the address opened last: quick steps back overtake each other. */
  private latest = 0;

  constructor(parts: PageSwitchParts) {
    this.parts = { ...parts, onPlace: () => this.writeAddress() };
    this.load = createLoader(this.parts, this.loaded);
    syncRail(this.parts, (withdrawn) => {
      if (withdrawn === this.wanted) void this.show('live');
    });
    onFileDrop((file) => void this.openFile(file));
    bindPageKeys(this.parts, (name) => void this.show(name));
  }

  /** What is on the way to an address stays there: the user has gone on. */
  show(name: string): Promise<void> {
    this.latest += 1;
    this.opening = false;
    return this.switchTo(name);
  }

  private async switchTo(name: string): Promise<void> {
    if (name === this.wanted) return;
    const { store, frame, rail } = this.parts;
    this.wanted = name;
    const page = await this.load(name);
    if (this.wanted !== name) return;
    if (!page && name !== 'live') {
      this.wanted = this.shown;
      return;
    }
    // In a narrow window the whole frame scrolls, in a low one the document; each page starts at
    // its top. Once the page has changed, this would lay it out twice.
    frame.scrollTop = 0;
    document.documentElement.scrollTop = 0;
    this.entered?.leave();
    // The other pages show the arm as it is.
    store.set({ lookBack: null });
    frame.dataset['page'] = name;
    rail.mark(name);
    this.entered = page;
    page?.enter();
    this.writeAddress();
  }

  /** Opens a toolpath of the arm on the shown page if it can, else on the Paths page. */
  async openToolpath(head: ToolpathHead): Promise<void> {
    const target = await this.pageFor('openToolpath');
    await this.show(target);
    (await this.load(target))?.openToolpath?.(head);
  }

  /** Opens the address in the URL, after a reload or by a link. */
  async openAddress(): Promise<void> {
    const wanted = parseAddress(location.hash);
    if (wanted) await this.open(wanted);
    else if (location.hash) this.history.replace(this.address());
  }

  /** The address of what is on the screen, for a link. */
  address(): Address {
    const place = this.entered ? this.entered.place?.() : this.parts.live.place();
    return { page: this.shown, ...(place ?? NO_PLACE) };
  }

  /** State drawn by a page, for tests; null before the page is first shown. */
  drawn(name: string): object | null {
    return this.loaded.get(name)?.drawn ?? null;
  }

  /** The pose that the shown page displays in place of the arm's pose. */
  posed(): PosedToolpath | null {
    return this.entered?.posed?.() ?? null;
  }

  private get shown(): string {
    return this.parts.frame.dataset['page'] ?? 'live';
  }

  /** The Live page looks at another time. */
  placeChanged(): void {
    this.writeAddress();
  }

  /** Nothing is written while another page is on its way: its address is not known yet. */
  private writeAddress(): void {
    if (!this.opening && this.wanted === this.shown) this.history.write(this.address());
  }

  private async open(address: Address): Promise<void> {
    const known =
      address.page === 'live' || this.parts.pages.some(({ name }) => name === address.page);
    // The address bar names what is on the screen, so an address of nothing does not stay there.
    if (!known) return this.history.replace(this.address());
    const number = ++this.latest;
    this.opening = true;
    const at_s = address.page === 'live' ? Number(address.params['t'] ?? Number.NaN) : Number.NaN;
    // What this page has not heard is in the runs that the twin keeps.
    if (Number.isFinite(at_s) && !this.parts.live.look(at_s)) {
      return this.open({ page: 'paths', id: null, params: { at: `${at_s}` } });
    }
    if (Number.isNaN(at_s)) this.parts.store.set({ lookBack: null });
    await this.switchTo(address.page);
    if (number !== this.latest) return;
    if (this.shown === address.page) {
      await this.entered?.openPlace?.(address);
      if (number !== this.latest) return;
      const camera = address.params['cam'];
      if (camera) this.parts.stage.setViewpoint(camera.split(',').map(Number));
    }
    this.opening = false;
    if (this.wanted === this.shown) this.history.replace(this.address());
  }

  private async openFile(file: File): Promise<void> {
    this.parts.signIn.hide();
    const target = await this.pageFor('openFile');
    await this.show(target);
    const page = await this.load(target);
    await readFile(file, {
      onText: (name, text) => page?.openFile?.(name, text),
      onProblem: (text) => this.parts.store.set({ notice: { text, code: '' } }),
    });
  }

  /** The page requested last if it supports the action, else DROP_PAGE. */
  private async pageFor(action: 'openFile' | 'openToolpath'): Promise<string> {
    const name = this.wanted;
    return (await this.load(name))?.[action] ? name : DROP_PAGE;
  }
}
