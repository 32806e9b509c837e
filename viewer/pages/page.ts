/**
 * What a page beside the Live page is, what it is given, how its style sheets come with it, and how
 * its panels are kept up to date. All pages lie in one frame and share its scene.
 */
import type { ToolpathHead } from '../../contract/types.ts';
import type { ArmCalls } from '../link/arm-calls.ts';
import type { ArmStore, Notice } from '../link/arm-store.ts';
import type { Commands } from '../link/commands.ts';
import type { CollisionSwitch, PosedToolpath } from '../panels/collision-switch.ts';
import { element } from '../panels/element.ts';
import type { Rail } from '../panels/rail.ts';
import type { SignIn } from '../panels/sign-in.ts';
import type { Stage } from '../scene/stage.ts';

export interface PageParts {
  readonly store: ArmStore;
  readonly calls: ArmCalls;
  readonly commands: Commands;
  readonly stage: Stage;
  readonly rail: Rail;
  readonly signIn: SignIn;
  readonly collision: CollisionSwitch;
  /** The element that holds every page; its `data-page` says which one shows. */
  readonly frame: HTMLElement;
  readonly scene: HTMLElement;
}

/** A page, made once its style sheets are there: nothing of it ever shows without them. */
export interface Page {
  enter(): void;
  leave(): void;
  /** Opens the text of a file dropped on it; pages without it leave that to the Toolpaths page. */
  openFile?(name: string, text: string): void;
  /** Opens a toolpath of the arm; pages without it leave that to the Toolpaths page. */
  openToolpath?(head: ToolpathHead): void;
  /** The pose it shows in place of the arm's own, for the collision layer. */
  posed?(): PosedToolpath | null;
  /** What end-to-end tests read of what the page has really drawn. */
  readonly drawn?: object;
}

/** A server that was built anew, or is gone, has no longer what an open page asks for. */
export function goneNotice(what: string): Notice {
  return { text: `${what} cannot be had from the server. Reload, then try again.`, code: '' };
}

/** The style sheets that are there or on their way, by address. */
const sheets = new Map<string, Promise<unknown>>();

function loadSheet(href: string): Promise<unknown> {
  const link = element('link', { rel: 'stylesheet', href });
  const load = new Promise((resolve, reject) => {
    link.addEventListener('load', resolve);
    link.addEventListener('error', () => {
      link.remove();
      sheets.delete(href);
      reject(new Error(`no ${href}`));
    });
  });
  document.head.append(link);
  return load;
}

/** Adds style sheets to the document, each once; rejects when one cannot be had. */
export function loadStyles(wanted: readonly URL[]): Promise<unknown> {
  const loads = wanted.map(({ href }) => {
    const load = sheets.get(href) ?? loadSheet(href);
    sheets.set(href, load);
    return load;
  });
  return Promise.all(loads);
}

/** Calls `act` after every change of theme: what is drawn on a canvas does not follow by itself. */
export function onTheme(act: () => void): void {
  new MutationObserver(act).observe(document.documentElement, { attributeFilter: ['data-theme'] });
}

/** What asks for `act` before the next frame; however often it asks, `act` comes once a frame. */
export function onceAFrame(act: () => void): () => void {
  let due = false;
  return () => {
    if (due) return;
    due = true;
    requestAnimationFrame(() => {
      due = false;
      act();
    });
  };
}

/** What holds a page's view. */
interface Source<View> {
  view(): View;
  subscribe(listener: () => void): void;
}

/** A panel that shows a view; `before` is what it showed last, null the first time. */
interface Shows<View> {
  update(view: View, before: View | null): void;
}

/** Brings panels up to date now, and after every change at most once a frame. */
export function follow<View>(store: Source<View>, panels: readonly Shows<View>[]): void {
  let shown: View | null = null;
  function refresh(): void {
    const view = store.view();
    for (const panel of panels) panel.update(view, shown);
    shown = view;
  }
  store.subscribe(onceAFrame(refresh));
  refresh();
}
