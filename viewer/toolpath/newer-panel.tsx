/**
 * Says on Paths and Teach that someone else changed, renamed or deleted what is open, shows both
 * versions on request, and lets the user keep their own or take the other one. Nothing is replaced
 * without a press of a button that says so.
 */
import { useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { ArmStore } from '../link/arm-store.ts';
import { Button } from '../ui/buttons.tsx';
import { timeOfDayText } from '../ui/value-text.ts';
import { followArm } from './follow-arm.ts';
import type { NewerVersion } from './newer-version.ts';
import { ComparisonSummary } from './runs/comparison-summary.tsx';
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

interface ComparisonProps extends Pick<NewerPanelParts, 'store' | 'draw'> {
  readonly version: NewerVersion;
  readonly other: ToolpathStore;
}

/** The other version beside the open one, here and in the scene. */
function Comparison({ store, draw, other, version }: ComparisonProps) {
  useEffect(() => {
    other.open({ name: version.name, id: null }, JSON.stringify(version.toolpath));
    return () => draw(null);
  }, [version]);
  useSignalEffect(() => draw(other.shown.path.value));
  return <ComparisonSummary own={store} other={other} />;
}

/** The panel; it is hidden until the arm has another version. */
export function NewerPanel({ store, arm, library, draw, ...parts }: NewerPanelParts) {
  const newer = library.versions.newer();
  const compared = useSignal<NewerVersion | null>(null);
  /** In a store of its own, which has its own worker. */
  const other = useRef<ToolpathStore | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const version = newer && compared.value === newer ? newer : null;
  const sameContent = newer?.base?.hash === store.shown.origin.value?.base?.hash;
  const isGone = newer?.toolpath === null;

  function compare(): void {
    if (!other.current) {
      other.current = new ToolpathStore();
      followArm(other.current, arm);
    }
    compared.value = version ? null : newer;
  }
  async function keepMine(): Promise<void> {
    if (newer) await parts.save(newer);
  }
  function takeTheirs(): void {
    const { id } = store.view().origin ?? {};
    const { base, toolpath } = newer ?? {};
    // The buttons of the panel go.
    box.current!.parentElement?.querySelector('button')?.focus();
    if (base && toolpath && id) {
      store.open({ name: base.name, id, base }, JSON.stringify(toolpath));
    } else store.close();
  }
  return (
    <div ref={box} class="newer" role="alert" aria-label="Another version" hidden={!newer}>
      <p>{newer && newerText(newer, { unsaved: parts.unsaved(), sameContent })}</p>
      <div class="newer-choices">
        <Button
          class="plain small"
          aria-pressed={version !== null}
          hidden={isGone || sameContent}
          onClick={compare}
        >
          Compare
        </Button>
        <Button class="plain small" title={KEEP_TITLE} onClick={keepMine}>
          {isGone ? 'Keep mine: save it again' : 'Keep mine: save over theirs'}
        </Button>
        <Button class="plain small" title={parts.wayBack} onClick={takeTheirs}>
          {isGone ? 'Close it' : 'Take theirs'}
        </Button>
      </div>
      <div class="compare-body" role="status" hidden={!version}>
        {version && (
          <Comparison store={store} draw={draw} other={other.current!} version={version} />
        )}
      </div>
    </div>
  );
}
