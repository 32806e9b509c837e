/**
 * The plots of the Live page: joint velocity of the last 8 s, temperature of the last 10 min, and
 * joint position, all in the time of the twin. They are the timeline of what the page has heard: a
 * drag looks back.
 */

import { VELOCITY_MAX_RAD_S } from '../../../physics/arm/arm-model.ts';
import type { ArmStore } from '../../link/arm-store.ts';
import type { ArmView } from '../../link/arm-view.ts';
import { createJointSeries, JOINTS } from '../../ui/joint-series.ts';
import type { PlotScale } from '../../ui/plot.ts';
import { MINUTES, SECONDS, TimePlot } from '../../ui/time-plot.ts';
import { degrees } from '../../ui/value-text.ts';
import { createLookBack, type LookBack, type LookPlot } from './look-back.ts';
import { createPlotTime } from './plot-time.ts';

const LIMIT_DEG_S = Math.round(degrees(Math.max(...VELOCITY_MAX_RAD_S)));
const VELOCITY: PlotScale = {
  low: -LIMIT_DEG_S - 12,
  high: LIMIT_DEG_S + 12,
  ticks: [100, 0, -100],
  limits: [LIMIT_DEG_S, -LIMIT_DEG_S],
  limitText: `limit ${LIMIT_DEG_S}`,
};
const TEMPERATURE: PlotScale = {
  low: 18,
  high: 72,
  ticks: [20, 30, 40, 50, 60, 70],
  limits: [],
};

const POSITION: PlotScale = {
  low: -185,
  high: 185,
  ticks: [180, 90, 0, -90, -180],
  limits: [],
};
/** The page looks back so far (ms). */
const KEPT_MS = 600_000;
const MOMENTS = { unit: SECONDS, window_ms: 8_000 } as const;

/** A plot under its title. */
export interface LivePlot extends LookPlot {
  /** The unit of its values, and how much of the past it shows. */
  readonly unit: string;
}

export interface Plots {
  /** In the order in which they stand. */
  readonly plots: readonly LivePlot[];
  readonly lookBack: LookBack;
  /** The time of the twin now, or when it was heard last (ms). */
  now_ms(): number;
  /** Adds the values of a view. */
  record(view: ArmView): void;
  /** Draws what a view shows. */
  draw(view: ArmView): void;
}

/** Creates the plots. */
export function createPlots(store: ArmStore): Plots {
  const velocity = createJointSeries(KEPT_MS, 20);
  const temperature = createJointSeries(KEPT_MS, 2_000);
  const position = createJointSeries(KEPT_MS, 20);
  const all = [velocity, temperature, position] as const;
  const long = { unit: MINUTES, window_ms: KEPT_MS };
  const plots: readonly LivePlot[] = [
    {
      ...{ title: 'Joint velocity', unit: '°/s, last 8 s', window_ms: MOMENTS.window_ms },
      plot: new TimePlot({ series: velocity, scale: VELOCITY, ...MOMENTS }),
    },
    {
      ...{ title: 'Temperature', unit: '°C, last 10 min', window_ms: KEPT_MS },
      plot: new TimePlot({ series: temperature, scale: TEMPERATURE, ...long }),
    },
    {
      ...{ title: 'Joint position', unit: '°, last 8 s', window_ms: MOMENTS.window_ms },
      plot: new TimePlot({ series: position, scale: POSITION, ...MOMENTS }),
    },
  ];
  const angles_deg = new Float64Array(JOINTS);
  const plotTime = createPlotTime();
  /** The time of a view; what was drawn on another axis is gone. */
  function timeOf(view: ArmView): number {
    const { now_ms, isNew } = plotTime(view);
    if (isNew) {
      for (const series of all) series.clear();
      // The looked-at time is of the axis before.
      if (view.lookBack) lookBack.look(null);
    }
    return now_ms;
  }
  let recorded_ms = 0;
  let now_ms = 0;
  const lookBack = createLookBack({ store, plots, positions: position, now_ms: () => now_ms });
  return {
    plots,
    lookBack,
    now_ms: () => now_ms,
    record(view) {
      const { link, snapshot } = view;
      const time_ms = timeOf(view);
      if (link !== 'live') {
        for (const series of all) series.gap(recorded_ms);
        return;
      }
      recorded_ms = now_ms = time_ms;
      if (!snapshot) return;
      velocity.add(snapshot['servos.telemetry.velocity'], time_ms);
      temperature.add(snapshot['servos.telemetry.temperature'], time_ms);
      for (let j = 0; j < JOINTS; j++) {
        angles_deg[j] = degrees(snapshot['servos.telemetry.position'][j]!);
      }
      position.add(angles_deg, time_ms);
    },
    draw(view) {
      const faded = view.link !== 'live';
      const time_ms = timeOf(view);
      now_ms = faded ? recorded_ms : time_ms;
      const cursor_ms = view.lookBack?.at_ms ?? null;
      for (const each of plots) {
        const end_ms = lookBack.end_ms(each);
        each.plot.draw({ end_ms, behind_ms: now_ms - end_ms, cursor_ms, faded });
      }
      lookBack.say();
    },
  };
}
