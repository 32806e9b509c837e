/**
 * Looks back in the live run: a drag on a plot, or its keys, choose a time of the twin, the arm in the
 * scene takes the pose that it had then, and one button goes on with what is now.
 */

import type { ArmStore } from '../../link/arm-store.ts';
import { POSITION } from '../../link/merge-changes.ts';
import { button, element, setAttribute, setText } from '../../ui/element.ts';
import type { JointSeries } from '../../ui/joint-series.ts';
import { onPageKey } from '../../ui/page-key.ts';
import type { TimePlot } from '../../ui/time-plot.ts';
import { RAD_PER_DEG } from '../../ui/units.ts';
import { decimal } from '../../ui/value-text.ts';

/** Steps of the keys (ms): alone, and with shift. */
const STEPS_MS = [100, 1000] as const;
/** Nearer to now than this part of the window, a drag is now. */
const NOW_SHARE = 0.01;

/** A plot, and how much of the past it shows at a time (ms). */
export interface LookPlot {
  readonly plot: TimePlot;
  readonly title: string;
  readonly window_ms: number;
}

export interface LookBackParts {
  readonly store: ArmStore;
  readonly plots: readonly LookPlot[];
  /** The angles of the joints (°) over the time of the twin. */
  readonly positions: JointSeries;
  /** The time of the twin now (ms). */
  readonly now_ms: () => number;
}

/** What the plots show of the past. */
export interface LookBack {
  /** Says over the scene what is looked at. */
  readonly element: HTMLElement;
  /** The right edge of a plot (ms). */
  end_ms(plot: LookPlot): number;
  /** Whether the page has heard of the arm at a time (ms). */
  knows(at_ms: number): boolean;
  /** Looks at a time (ms), as far as any is kept; null goes back to now. */
  look(at_ms: number | null): void;
  update(): void;
}

/** What the pointer and the keys of a plot choose from. */
interface Looked {
  now_ms(): number;
  end_ms(plot: LookPlot): number;
  /** The time that is looked at (ms). */
  at_ms(): number;
  look(time_ms: number | null): void;
}

/** The time that a key chooses (ms); undefined for other keys. */
function keyTime({ key, shiftKey }: KeyboardEvent, { at_ms, now_ms }: Looked) {
  const by_ms = STEPS_MS[shiftKey ? 1 : 0];
  if (key === 'ArrowLeft') return at_ms() - by_ms;
  if (key === 'ArrowRight') return at_ms() + by_ms < now_ms() ? at_ms() + by_ms : null;
  if (key === 'Home') return Number.NEGATIVE_INFINITY;
  return key === 'End' ? null : undefined;
}

/** Lets a drag on a plot, and its keys, choose the time. */
function takeInput(plot: LookPlot, looked: Looked): void {
  const { canvas } = plot.plot;
  canvas.tabIndex = 0;
  canvas.setAttribute('role', 'slider');
  canvas.setAttribute('aria-label', `${plot.title}, time that is looked at`);
  canvas.title = 'Drag to look back';
  function drag({ offsetX }: PointerEvent): void {
    const time_ms = plot.plot.timeAt(offsetX, looked.end_ms(plot));
    const isNow = time_ms > looked.now_ms() - NOW_SHARE * plot.window_ms;
    looked.look(isNow ? null : time_ms);
  }
  canvas.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    drag(event);
  });
  canvas.addEventListener('pointermove', (event) => {
    if (canvas.hasPointerCapture(event.pointerId)) drag(event);
  });
  canvas.addEventListener('keydown', (event) => {
    const time_ms = keyTime(event, looked);
    if (time_ms === undefined) return;
    event.preventDefault();
    // The page has keys of its own.
    event.stopPropagation();
    looked.look(time_ms);
  });
}

const secondsText = (time_ms: number, digits: number) => `${decimal(time_ms / 1000, digits)} s`;

/** Creates it; the plots take its pointer and its keys. */
export function createLookBack(parts: LookBackParts): LookBack {
  const { store, plots, positions, now_ms } = parts;
  const angles_deg = new Float64Array(6);
  const text = element('span');
  const ago = element('span', { class: 'unit' });
  const back = button({ class: 'plain small' }, () => look(null), 'Back to live (Esc)');
  const chip = element('div', { class: 'glass look-back', hidden: true }, text, ago, back);
  /** The right edge of each plot while the past is looked at (ms). */
  const ends = new Map<LookPlot, number>();

  function at_ms(): number | null {
    return store.view().lookBack?.at_ms ?? null;
  }

  const end_ms = (plot: LookPlot) => (at_ms() === null ? now_ms() : (ends.get(plot) ?? now_ms()));

  const first_ms = () => (positions.length() > 0 ? positions.time_ms(0) : now_ms());

  function look(wanted_ms: number | null): void {
    if (wanted_ms === null) {
      ends.clear();
      if (store.view().lookBack) store.set({ lookBack: null });
      return;
    }
    const time_ms = Math.min(Math.max(wanted_ms, first_ms()), now_ms());
    const isKnown = positions.at(time_ms, angles_deg);
    // Where nothing was heard, the arm stays as it is drawn.
    const { lookBack, snapshot } = store.view();
    const drawn = lookBack?.joints ?? Float64Array.from(snapshot?.[POSITION] ?? []);
    const then = Float64Array.from(angles_deg, (angle) => angle * RAD_PER_DEG);
    if (!lookBack) for (const plot of plots) ends.set(plot, now_ms());
    store.set({ lookBack: { at_ms: time_ms, joints: isKnown ? then : drawn, isKnown } });
    for (const plot of plots) follow(plot, time_ms);
  }

  /** Moves the window of a plot by as little as shows the time. */
  function follow(plot: LookPlot, time_ms: number): void {
    const end = ends.get(plot) ?? now_ms();
    const latest = Math.max(end, time_ms);
    ends.set(plot, Math.min(latest, time_ms + plot.window_ms));
  }

  const pointed = {
    now_ms,
    end_ms,
    at_ms: () => at_ms() ?? now_ms(),
    look,
  };
  for (const plot of plots) takeInput(plot, pointed);
  onPageKey((event) => {
    if (event.key === 'Escape' && !event.shiftKey && at_ms() !== null) look(null);
  });

  return {
    element: chip,
    end_ms,
    knows: (time_ms) => positions.at(time_ms, angles_deg),
    look,
    update() {
      const { lookBack } = store.view();
      setAttribute(chip, 'hidden', lookBack === null);
      const now = now_ms();
      const time_ms = lookBack?.at_ms ?? now;
      for (const { plot } of plots) {
        setAttribute(plot.canvas, 'aria-valuemin', decimal(Math.min(first_ms(), now) / 1000, 1));
        setAttribute(plot.canvas, 'aria-valuemax', decimal(now / 1000, 1));
        setAttribute(plot.canvas, 'aria-valuenow', decimal(time_ms / 1000, 1));
        const spoken = lookBack ? `${secondsText(time_ms, 1)}, looking back` : 'Live';
        setAttribute(plot.canvas, 'aria-valuetext', spoken);
      }
      if (!lookBack) return;
      const what = lookBack.isKnown ? 'the arm then, its cell as it is now' : 'not heard';
      setText(text, `At ${secondsText(time_ms, 2)}: ${what}`);
      setText(ago, `${secondsText(now - time_ms, 1)} ago`);
    },
  };
}
