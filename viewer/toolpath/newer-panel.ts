/**
 * Says on Paths and Teach that someone else changed, renamed or deleted what is open, shows both
 * versions on request, and lets the user keep their own or take the other one. Nothing is replaced
 * without a press of a button that says so.
 */
import type { ArmStore } from '../link/arm-store.ts';
import { button, element, setAttribute, setText } from '../ui/element.ts';
import { timeOfDayText } from '../ui/value-text.ts';
import { followArm } from './follow-arm.ts';
import type { NewerVersion } from './newer-version.ts';
import { summary } from './runs/comparison-summary.ts';
import type { TimedPath } from './timed-path.ts';
import type { ToolpathLibrary } from './toolpath-library.ts';
import { ToolpathStore } from './toolpath-store.ts';

export interface NewerPanelParts {
  readonly store: ToolpathStore;
  readonly arm: ArmStore;
  readonly library: ToolpathLibrary;
  /** Saves what is open over a version that the user has seen the notice of. */
  readonly save: (over: NewerVersion) => Promise<unknown>;
  readonly unsaved: () => boolean;
  /** How the user gets their own version back after taking the other one. */
  readonly wayBack: string;
  /** Draws the path of the other version beside that of the open one; null removes it. */
  readonly draw: (path: TimedPath | null) => void;
}

/** The arm does not say who: a toolpath is visible to one account only. */
const WHO = 'elsewhere with your account';
const KEEP_TITLE =
  'Replaces the other version. The arm cannot refuse a save that is out of date: a change in the ' +
  'instant between the comparison and the save is not seen.';

/** What happened, when, and what it means for what is open. */
export function newerText(
  { base, name, toolpath, seen }: NewerVersion,
  { unsaved, sameContent }: { readonly unsaved: boolean; readonly sameContent: boolean },
): string {
  const renamed = base && base.name !== name ? `renamed to “${base.name}”` : '';
  const changed = sameContent ? '' : 'changed';
  const what = toolpath ? [changed, renamed].filter(Boolean).join(' and ') : 'deleted';
  const mine = unsaved ? ' Your edits are not saved.' : '';
  return `“${name}” was ${what} ${WHO} (seen at ${timeOfDayText(seen).slice(0, 8)}).${mine}`;
}

/** The other version in a store of its own, made with the first comparison. */
function createComparison({ store, arm, draw }: NewerPanelParts) {
  const body = element('div', { class: 'compare-body', role: 'status', hidden: true });
  let other: ToolpathStore | null = null;
  function show(): void {
    if (!other || body.hidden) return;
    body.replaceChildren(...summary(store.view(), other.view()));
    draw(other.view().path);
  }
  store.subscribe((view, before) => {
    if (view.path !== before.path) show();
  });
  return {
    element: body,
    open({ name, toolpath }: NewerVersion): void {
      if (!other) {
        other = new ToolpathStore();
        followArm(other, arm);
        other.subscribe(show);
      }
      setAttribute(body, 'hidden', false);
      other.open({ name, id: null }, JSON.stringify(toolpath));
    },
    close(): void {
      if (body.hidden) return;
      setAttribute(body, 'hidden', true);
      draw(null);
    },
  };
}

/** Creates the panel; it is hidden until the arm has another version. */
export function createNewerPanel(parts: NewerPanelParts): HTMLElement {
  const { store, library } = parts;
  const text = element('p');
  const comparison = createComparison(parts);
  const compare = button({ class: 'plain small', 'aria-pressed': 'false' }, look, 'Compare');
  const keep = button({ class: 'plain small', title: KEEP_TITLE }, () => void keepMine());
  const take = button({ class: 'plain small', title: parts.wayBack }, takeTheirs);
  const bar = element('div', { class: 'newer-choices' }, compare, keep, take);
  const attributes = { class: 'newer', role: 'alert', 'aria-label': 'Another version' };
  const box = element('div', { ...attributes, hidden: true }, text, bar, comparison.element);
  const fold = (): void => {
    setAttribute(compare, 'aria-pressed', 'false');
    comparison.close();
  };
  function look(): void {
    const newer = library.versions.newer();
    if (compare.getAttribute('aria-pressed') === 'true') fold();
    else if (newer) {
      setAttribute(compare, 'aria-pressed', 'true');
      comparison.open(newer);
    }
  }
  async function keepMine(): Promise<void> {
    const newer = library.versions.newer();
    if (newer) await parts.save(newer);
  }
  function takeTheirs(): void {
    const { id } = store.view().origin ?? {};
    const { base, toolpath } = library.versions.newer() ?? {};
    box.parentElement?.querySelector('button')?.focus();
    if (base && toolpath && id) {
      store.open({ name: base.name, id, base }, JSON.stringify(toolpath));
    } else store.close();
  }
  function show(): void {
    const newer = library.versions.newer();
    fold();
    setAttribute(box, 'hidden', newer === null);
    if (!newer) return;
    const sameContent = newer.base?.hash === store.view().origin?.base?.hash;
    setText(text, newerText(newer, { unsaved: parts.unsaved(), sameContent }));
    const gone = newer.toolpath === null;
    setAttribute(compare, 'hidden', gone || sameContent);
    setText(keep, gone ? 'Keep mine: save it again' : 'Keep mine: save over theirs');
    setText(take, gone ? 'Close it' : 'Take theirs');
  }
  library.versions.subscribe(show);
  return box;
}
