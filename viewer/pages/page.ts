/**
 * The interface of the pages other than the Live page, with helpers to load their style sheets and
 * to update their panels. All pages share one frame and one scene.
 */
import type { ToolpathHead } from '../../contract/types.ts';
import type { ArmCalls } from '../link/arm-calls.ts';
import type { ArmStore, Notice } from '../link/arm-store.ts';
import type { Commands } from '../link/commands.ts';
import type { CollisionSwitch, PosedToolpath } from '../panels/collision-switch.ts';
import { element } from '../panels/element.ts';
import type { Rail } from '../panels/rail.ts';
import type { SignIn } from '../panels/sign-in.ts';
import type { Stage } from '../scene/stage-types.ts';
import type { Place } from './address.ts';

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

function loadSheet(href: string): Promise<unknown> {
  const link = element('link', { rel: 'stylesheet', href });
  const load = new Promise((resolve, reject) => {
    link.addEventListener('load', resolve);
    link.addEventListener('error', () => {
      link.remove();
      sheets.delete(href);
      reject(new Error(`style sheet ${href} could not be loaded`));
    });
  });
  document.head.append(link);
  return load;
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
