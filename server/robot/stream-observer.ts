/**
 * Follows the changes on the stream (§6.1) as a subscriber does, so that the invariant monitor can
 * compare them with the snapshot.
 */

import type { SectionChanges } from './loop-event.ts';
import type { SnapshotSections } from './snapshot-message.ts';

type Values = Readonly<Record<string, unknown>>;

/** The snapshot as a subscriber knows it: the one at its start, with all changes since. */
export class StreamObserver {
  private known: SnapshotSections | null = null;

  /** Starts again from a snapshot; null without a subscriber. */
  start(snapshot: SnapshotSections | null): void {
    this.known = snapshot;
  }

  add(changes: SectionChanges): void {
    const { known } = this;
    if (known === null) return;
    for (const [name, change] of Object.entries(changes)) {
      known[name] = Array.isArray(change)
        ? change
        : { ...(known[name] as Values), ...(change as Values) };
    }
  }

  /** The first field in which the known snapshot differs from another one; null for none. */
  difference(snapshot: SnapshotSections, names: readonly string[]): string | null {
    const { known } = this;
    if (known === null) return null;
    for (const name of names) {
      const own = known[name] as Values;
      for (const [key, value] of Object.entries(snapshot[name] as Values)) {
        if (own[key] !== value) return `${name}.${key} is ${value}, published: ${own[key]}`;
      }
    }
    return null;
  }
}
