/** The arm's toolpaths as a list shows them: search, order, and what is found out about each. */
import { computed, effect, type ReadonlySignal, signal, untracked } from '@preact/signals';
import type { ToolpathHead } from '../../contract/types.generated.ts';
import { bodyCount, cellText } from '../../physics/cell/clearance/checked-against.ts';
import type { ArmView } from '../link/arm-view.ts';
import { preferences } from '../ui/preferences.ts';
import { dateText, decimal, minutesText } from '../ui/value-text.ts';
import { builtArm } from './follow-arm.ts';
import { arrange, modifiedIn, type ToolpathOrder } from './library-order.ts';
import { DetailsReader, type ToolpathDetails } from './toolpath-details.ts';

const BYTES_PER_KB = 1000;

/** From here on a duration is given in minutes and seconds (s). */
const MINUTES_FROM_S = 100;

/** Errors of a toolpath or else its duration, and its size, which gives way to a long name. */
export function detailsTexts(details: ToolpathDetails): readonly string[] {
  const { duration_s, isOpenEnded, errors, bytes } = details;
  if (errors > 0) return [`${errors} error${errors === 1 ? '' : 's'}`];
  const isLong = duration_s >= MINUTES_FROM_S;
  const duration = isLong ? `${minutesText(duration_s)} min` : `${decimal(duration_s, 1)} s`;
  return [`${isOpenEnded ? 'from ' : ''}${duration}`, ` · ${decimal(bytes / BYTES_PER_KB, 1)} kB`];
}

/** What the toolpaths of a list are checked against. */
export function checkedText({ sim }: Pick<ArmView, 'sim'>): string {
  const { cell } = builtArm({ sim });
  const around = cell ? `${cellText(bodyCount(cell))}, as described` : 'no cell (none is known)';
  return `Checked against the floor, themselves, their zones, ${around}.`;
}

/** The order that the user has chosen, of all lists. */
const wantedOrder = signal(preferences.read().toolpathOrder as ToolpathOrder);

/** What of the robot a list depends on. */
export type ListedArm = Pick<ArmView, 'toolpaths' | 'sim' | 'driver'>;

export class LibraryListing {
  /** Part of the names that are shown. */
  readonly query = signal('');
  readonly toolpaths: ReadonlySignal<readonly ToolpathHead[]>;
  /** When each was saved last; or why that is not known. */
  readonly modified: ReadonlySignal<ReturnType<typeof modifiedIn>>;
  readonly order = computed(() => {
    const isUnknown = typeof this.modified.value === 'string';
    return isUnknown && wantedOrder.value === 'modified' ? 'added' : wantedOrder.value;
  });
  /** Those that fit the search, in order. What becomes known of them later leaves their order. */
  readonly found = computed(() => {
    const [query, order, modified] = [this.query.value, this.order.value, this.modified.value];
    const heads = this.toolpaths.value;
    return untracked(() => arrange(heads, { query, order, modified }, this.details.of));
  });
  readonly checkedText: ReadonlySignal<string>;
  readonly details: DetailsReader;

  /** `read` reads the text of a toolpath; null if that was refused. */
  constructor(
    arm: ReadonlySignal<ListedArm>,
    read: (head: ToolpathHead) => Promise<string | null>,
  ) {
    this.details = new DetailsReader(read);
    this.toolpaths = computed(() => arm.value.toolpaths);
    this.modified = computed(() => modifiedIn(arm.value));
    this.checkedText = computed(() => checkedText(arm.value));
    effect(() => {
      const built = builtArm(arm.value);
      untracked(() => this.details.setArm(built));
    });
  }

  chooseOrder(order: string): void {
    preferences.update({ toolpathOrder: order });
    wantedOrder.value = order as ToolpathOrder;
  }

  /** What is shown of a toolpath beside its name: the time of its save in that order. */
  about({ id, hash }: ToolpathHead): readonly string[] {
    const details = this.details.of(hash);
    if (this.order.value !== 'modified') return details ? detailsTexts(details) : [];
    const time = this.savedAt(id);
    if (time === undefined) return ['not known'];
    // Of today the time, else the day: both do not fit beside a name.
    const [day, minute] = dateText(time).split(' ');
    return [day === dateText(new Date().toISOString()).split(' ')[0] ? minute! : day!];
  }

  /** When a toolpath was saved last; undefined where that is not known. */
  savedAt(id: number): string | undefined {
    const modified = this.modified.value;
    return typeof modified === 'string' ? undefined : modified.get(id);
  }
}
