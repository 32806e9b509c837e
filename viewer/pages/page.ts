/**
 * The interface of the pages other than the Live page, with helpers to load their style sheets and
 * to update their panels. All pages share one frame and one scene. Also: addresses of what is on
 * the screen.
 */
import type { ToolpathHead } from '../../contract/types.ts';
import type { ArmCalls } from '../link/arm-calls.ts';
import type { ArmStore, Notice } from '../link/arm-store.ts';
import type { Commands } from '../link/commands.ts';
import type { CollisionSwitch, PosedToolpath } from '../panels/collision-switch.ts';
import { element } from '../panels/element.ts';
import type { Rail } from '../panels/rail.ts';
import type { SignIn } from '../panels/sign-in.ts';
import type { Stage } from '../scene/renderer.ts';
import type { RemoteToolpathLibrary } from '../toolpath/toolpath-library.ts';
import type { ToolpathStore } from '../toolpath/toolpath-store.ts';

/**
 * Addresses of what is on the screen, as the fragment of the URL: page, id of what is open, and
 * parameters such as step, time and camera. `#paths/12?step=/timeline/3&t=4.20`. An address without
 * a page is the Live page. Pure, apart from `createHistory`.
 */

/** What is on the screen of a page. */
export interface Place {
  /** Id of what is open: a toolpath, a workflow; null for none. */
  readonly id: number | null;
  readonly params: Readonly<Record<string, string>>;
}

export interface Address extends Place {
  readonly page: string;
}

export const NO_PLACE: Place = { id: null, params: {} };
/** Changes of parameters alone are written at most this often: browsers limit them. */
const WRITE_MS = 400;

/** The address of a fragment; null for one that is no address. */
export function parseAddress(fragment: string): Address | null {
  const [, page = '', id, query = ''] =
    /^#?([a-z]+)(?:\/(\d{1,15}))?(?:\?(.*))?$/.exec(fragment) ?? [];
  if (!page) return null;
  const params = Object.fromEntries(new URLSearchParams(query));
  return { page, id: id === undefined ? null : Number(id), params };
}

/** The fragment of an address; empty for the Live page without parameters. */
export function formatAddress({ page, id, params }: Address): string {
  const query = new URLSearchParams(params).toString().replaceAll('%2F', '/');
  const place = id === null ? page : `${page}/${id}`;
  const text = query ? `${place}?${query}` : place;
  return text === 'live' ? '' : `#${text}`;
}

export interface AddressHistory {
  /** Writes the address: a new entry when page or id differ, else in place and later. */
  write(address: Address): void;
  /** Writes the address in place of the present entry, after an address was opened. */
  replace(address: Address): void;
}

/** Keeps the browser's history; `open` is called when the user goes back or forward. */
export function createHistory(open: (address: Address) => void): AddressHistory {
  const live: Address = { page: 'live', ...NO_PLACE };
  let last = parseAddress(location.hash) ?? live;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const here = () => location.pathname + location.search;
  addEventListener('popstate', () => {
    clearTimeout(timer);
    last = parseAddress(location.hash) ?? live;
    open(last);
  });
  return {
    replace(address) {
      clearTimeout(timer);
      last = address;
      history.replaceState(null, '', here() + formatAddress(address));
    },
    write(address) {
      const isElsewhere = address.page !== last.page || address.id !== last.id;
      const text = formatAddress(address);
      if (text === formatAddress(last)) return;
      clearTimeout(timer);
      last = address;
      if (isElsewhere) history.pushState(null, '', here() + text);
      else timer = setTimeout(() => history.replaceState(null, '', here() + text), WRITE_MS);
    },
  };
}

/** What a page receives. */
export interface PageParts {
  readonly store: ArmStore;
  readonly calls: ArmCalls;
  readonly commands: Commands;
  readonly stage: Stage;
  readonly rail: Rail;
  readonly signIn: SignIn;
  readonly collision: CollisionSwitch;
  /** The element that holds every page; its `data-page` names the shown page. */
  readonly frame: HTMLElement;
  readonly scene: HTMLElement;
  /** Must be called when what is on the screen of a page has changed. */
  readonly onPlace: () => void;
}

/** A page; it is created after its style sheets have loaded. */
export interface Page {
  enter(): void;
  leave(): void;
  /** Opens the text of a dropped file; without it, the Toolpaths page opens the file. */
  openFile?(name: string, text: string): void;
  /** Opens a toolpath of the arm; without it, the Toolpaths page opens the toolpath. */
  openToolpath?(head: ToolpathHead): void;
  /** What is on the screen, for its address; without it, the address names only the page. */
  place?(): Place;
  /** Opens what an address names. */
  openPlace?(place: Place): Promise<void>;
  /** The pose shown in place of the arm's pose, for the collision layer. */
  posed?(): PosedToolpath | null;
  /** State drawn by the page, for the end-to-end tests. */
  readonly drawn?: object;
}

/** A notice that a chunk could not be loaded, as after an update of the server. */
export function loadFailedNotice(what: string): Notice {
  const text = `${what} could not be loaded from the server. Reload the page, then try again.`;
  return { text, code: '' };
}

/** Style sheets that are loaded or loading, by URL. */
const sheets = new Map<string, Promise<unknown>>();

/** Adds an empty style sheet behind the others. */
export function adoptSheet(): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets.push(sheet);
  return sheet;
}

/**
 * Loads a sheet that overrides those before it; a link would not override the script's own sheet.
 * An exported page carries its sheets as data, which its policy allows in links only.
 */
async function loadSheet(href: string): Promise<void> {
  if (href.startsWith('data:')) {
    const link = element('link', { rel: 'stylesheet', href });
    const load = new Promise((resolve) => link.addEventListener('load', resolve));
    document.head.append(link);
    await load;
    return;
  }
  const sheet = adoptSheet();
  const reply = await fetch(href, { headers: { Accept: 'text/css' } }).catch(() => null);
  if (reply?.ok) return sheet.replaceSync(await reply.text());
  sheets.delete(href);
  document.adoptedStyleSheets.splice(document.adoptedStyleSheets.indexOf(sheet), 1);
  throw new Error(`style sheet ${href} could not be loaded`);
}

/** Adds style sheets to the document, each once; rejects when one fails to load. */
export function loadStyles(urls: readonly URL[]): Promise<unknown> {
  const loads = urls.map(({ href }) => {
    const load = sheets.get(href) ?? loadSheet(href);
    sheets.set(href, load);
    return load;
  });
  return Promise.all(loads);
}

/** Calls back after every change of theme; canvases need it to redraw. */
export function onTheme(listener: () => void): void {
  new MutationObserver(listener).observe(document.documentElement, {
    attributeFilter: ['data-theme'],
  });
}

/** Wraps an action so that any number of calls runs it once, before the next frame. */
export function oncePerFrame(action: () => void): () => void {
  let due = false;
  return () => {
    if (due) return;
    due = true;
    requestAnimationFrame(() => {
      due = false;
      action();
    });
  };
}

/** A store of a page's view. */
interface ViewStore<View> {
  view(): View;
  subscribe(listener: () => void): void;
}

/** A panel that shows a view; `before` is the view it showed last, null the first time. */
interface ViewPanel<View> {
  update(view: View, before: View | null): void;
}

/** Updates the panels now, and after changes of the store at most once a frame. */
export function bindPanels<View>(store: ViewStore<View>, panels: readonly ViewPanel<View>[]): void {
  let shown: View | null = null;
  function refresh(): void {
    const view = store.view();
    for (const panel of panels) panel.update(view, shown);
    shown = view;
  }
  store.subscribe(oncePerFrame(refresh));
  refresh();
}

/** What is open; a file has no address. */
export function placeOf(store: ToolpathStore): Place {
  const { origin, selected, cursor_s, replay } = store.view();
  const id = origin?.id ?? null;
  // A replay that is not in the list has no address.
  if (replay !== null && replay < 0) return { id, params: {} };
  if (replay !== null) return { id, params: { run: `${replay}`, t: cursor_s.toFixed(2) } };
  if (id === null) return { id, params: {} };
  const step = selected === null ? {} : { step: selected };
  return { id, params: { ...step, t: cursor_s.toFixed(2) } };
}

/** Resolves once the toolpath is built, or to false when another one is open. */
function whenBuilt(store: ToolpathStore, id: number): Promise<boolean> {
  return new Promise((resolve) => {
    let done = false;
    const check = (): void => {
      const { origin, busy, path } = store.view();
      if (done || (busy && origin?.id === id)) return;
      done = true;
      resolve(origin?.id === id && path !== null);
    };
    store.subscribe(check);
    check();
  });
}

/** Opens what an address names; step and time count once the path is built. */
export async function openPlace(
  { id, params }: Place,
  library: RemoteToolpathLibrary,
  store: ToolpathStore,
): Promise<void> {
  // A quick step back must not open later what was on its way: that would be a new address.
  library.forgetOpening();
  if (id === null) {
    // Edits and dropped files stay open: they have no address to come back to.
    const { origin, edited } = store.view();
    if (origin && origin.id !== null && !edited) store.close();
    return;
  }
  if (store.view().origin?.id !== id) await library.openById(id);
  if (!(await whenBuilt(store, id))) return;
  const time_s = Number(params['t']);
  if (Number.isFinite(time_s) && params['t'] !== undefined) store.seek(time_s);
  const { step } = params;
  if (step !== undefined && store.view().selected !== step) store.select(step);
}

/** Calls back when the place has changed, but not while the preview plays. */
export function followPlace(store: ToolpathStore, changed: () => void): void {
  store.subscribe((view, before) => {
    const moved = view.cursor_s !== before.cursor_s || view.selected !== before.selected;
    if (!view.playing && (moved || view.origin !== before.origin)) changed();
  });
}
