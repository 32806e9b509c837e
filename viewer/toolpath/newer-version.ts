/**
 * Two editors of one toolpath: finds out when what is open was changed, renamed or deleted on the
 * arm by someone else, so that no save replaces a version that its author has not seen. The API of
 * the arm has no conditional save: the version is compared right before a save, and a change
 * between that comparison and the save is found only afterwards, by the list of the arm (§4.2).
 */
import { computed, signal } from '@preact/signals';
import type { Toolpath, ToolpathHead } from '../../contract/types.generated.ts';
import type { ArmCalls } from '../link/arm-calls.ts';
import type { ArmStore } from '../link/arm-store.ts';
import { onChange } from '../ui/view-store.ts';
import type { ToolpathStore } from './toolpath-store.ts';
import type { ToolpathOrigin } from './toolpath-view.ts';

type Base = NonNullable<ToolpathOrigin['base']>;

/** What the arm has in place of the version that the open toolpath was made from. */
export interface NewerVersion {
  /** Name and content hash; null when the toolpath is deleted. */
  readonly base: Base | null;
  readonly toolpath: Toolpath | null;
  /** Name before the change. */
  readonly name: string;
  /** When this page noticed. */
  readonly seen: Date;
}

/** Result of a look at the arm: `same`, `newer`, or `unknown` when it did not answer. */
export type VersionCheck = 'same' | 'newer' | 'unknown';

/** Name and hash of a toolpath on the arm. */
export function baseOf({ name, hash }: ToolpathHead): Base {
  return { name, hash };
}

function isSame(a: Base, b: Base | null): boolean {
  return b?.hash === a.hash && b.name === a.name;
}

/** Hashes of what the pages of this window saved. */
const savedHere = new Set<string>();

/** Records a version that this window saved: its other pages take it over while unedited. */
export function noteSavedHere(hash: string): void {
  savedHere.add(hash);
}

/** The error code of a toolpath that is not there. */
const GONE = 8;

export interface VersionWatchParts {
  readonly store: ToolpathStore;
  readonly arm: ArmStore;
  readonly calls: ArmCalls;
}

/** Watches whether the arm has a newer version of the open toolpath of a store. */
export class VersionWatch {
  private readonly parts: VersionWatchParts;
  private readonly found = signal<NewerVersion | null>(null);
  private isSaving = false;

  constructor(parts: VersionWatchParts) {
    this.parts = parts;
    const { store, arm } = parts;
    onChange(arm.shown.toolpaths, () => this.look());
    onChange(
      computed(() => store.shown.origin.value?.base),
      () => {
        this.found.value = null;
        this.look();
      },
    );
  }

  /** Null while the arm has the version that the open toolpath was made from. */
  newer(): NewerVersion | null {
    return this.found.value;
  }

  /** Looks at nothing while a save of this page is on its way. */
  setSaving(saving: boolean): void {
    this.isSaving = saving;
    if (!saving) this.look();
  }

  /** Compares what is open with the arm, by its own reading. */
  async check(): Promise<VersionCheck> {
    const { origin } = this.parts.store.view();
    if (!origin?.base || origin.id === null) return 'same';
    const { id, base } = origin;
    const outcome = await this.parts.calls.call((client) =>
      client.getToolpath({ toolpath_id: id }),
    );
    if (this.parts.store.view().origin?.base !== base) return 'unknown';
    const refused = !outcome.ok && outcome.error.kind === 'refused';
    if (!outcome.ok && !(refused && outcome.error.code === GONE)) return 'unknown';
    const now = outcome.ok ? outcome.value.toolpath : null;
    if (now && isSame(base, now)) {
      this.found.value = null;
      return 'same';
    }
    if (this.isFound(now)) return 'newer';
    const { edited, replay } = this.parts.store.view();
    if (now && savedHere.has(now.hash) && !edited && replay === null) {
      const saved = { name: now.name, id, base: baseOf(now) };
      this.parts.store.open(saved, JSON.stringify(now.toolpath));
      return 'newer';
    }
    const { name } = base;
    const toolpath = now?.toolpath ?? null;
    this.found.value = { base: now && baseOf(now), toolpath, name, seen: new Date() };
    return 'newer';
  }

  /** Compares with the list that the arm sent last; reads the toolpath where they differ. */
  private look(): void {
    const { store, arm } = this.parts;
    const { origin } = store.view();
    if (this.isSaving || !origin?.base || origin.id === null) return;
    const head = arm.view().toolpaths.find(({ id }) => id === origin.id) ?? null;
    if (head && isSame(origin.base, head)) this.found.value = null;
    else if (!this.isFound(head)) void this.check();
  }

  /** Whether this version, or the deletion with null, is reported already. */
  private isFound(now: Base | null): boolean {
    const found = this.found.peek();
    if (found === null) return false;
    return now ? isSame(now, found.base) : found.base === null;
  }
}
