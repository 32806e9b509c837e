/**
 * Looks back in the live run: a drag on a plot, or the keys of time, choose a time of the twin, and
 * the arm in the scene takes the pose that it had then.
 */

import type { ArmStore } from '../../link/arm-store.ts';
import { POSITION } from '../../link/merge-changes.ts';
import type { JointSeries } from '../../ui/joint-series.ts';
import { timeAtX } from '../../ui/time-axis.ts';
import type { TimePlot } from '../../ui/time-plot.ts';
import { onDrag, sayTime, type TimeCursor } from '../../ui/time-slider.ts';
import { RAD_PER_DEG } from '../../ui/units.ts';
import { decimal } from '../../ui/value-text.ts';

/** A step of the keys: the page knows no steps of what ran (ms). */
const STEP_MS = 1000;
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
  /** What the keys of time move. */
  readonly cursor: TimeCursor;
  /** The right edge of a plot (ms). */
  end_ms(plot: LookPlot): number;
  /** Whether the page has heard of the arm at a time (ms). */
  knows(at_ms: number): boolean;
  /** Looks at a time (ms), as far as any is kept; null goes back to now. */
  look(at_ms: number | null): void;
  /** Has the plots say what they show. */
  say(): void;
}

/** Creates it; the plots take its pointer. */
export function createLookBack(parts: LookBackParts): LookBack {
  const { store, plots, positions, now_ms } = parts;
  const angles_deg = new Float64Array(6);
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

  /** Lets a drag on a plot choose the time. */
  function takeDrags(plot: LookPlot): void {
    const { canvas } = plot.plot;
    canvas.tabIndex = 0;
    canvas.setAttribute('role', 'slider');
    canvas.setAttribute('aria-label', `${plot.title}, time that is looked at`);
    canvas.title = 'Drag to look back';
    onDrag(canvas, (x_px) => {
      const time_ms = 1000 * timeAtX(plot.plot.axis(end_ms(plot)), x_px);
      const isNow = time_ms > now_ms() - NOW_SHARE * plot.window_ms;
      look(isNow ? null : time_ms);
    });
  }
  for (const plot of plots) takeDrags(plot);

  function moveBy(by_ms: number): void {
    const time_ms = (at_ms() ?? now_ms()) + by_ms;
    look(time_ms < now_ms() ? time_ms : null);
  }

  return {
    cursor: {
      moveBy: (by_s) => moveBy(1000 * by_s),
      stepBy: (direction) => moveBy(direction * STEP_MS),
      toStart: () => look(Number.NEGATIVE_INFINITY),
      toEnd: () => look(null),
    },
    end_ms,
    knows: (time_ms) => positions.at(time_ms, angles_deg),
    look,
    say() {
      const time_ms = at_ms();
      const now_s = now_ms() / 1000;
      const from_s = Math.min(first_ms() / 1000, now_s);
      const looked_s = time_ms === null ? now_s : time_ms / 1000;
      const text = time_ms === null ? 'Live' : `${decimal(looked_s, 2)} s, looking back`;
      for (const { plot } of plots) {
        sayTime(plot.canvas, { from_s, to_s: now_s, now_s: looked_s, text });
      }
    },
  };
}
