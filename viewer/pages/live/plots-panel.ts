/**
 * The plots of the Live page: joint velocity of the last 8 s, temperature of the last 10 min, and
 * on wide screens joint position, all in the time of the twin. They are the timeline of what the page
 * has heard: a drag looks back. Tabs select the plot where only one fits.
 */

import { VELOCITY_MAX_RAD_S } from '../../../physics/arm/arm-model.ts';
import type { ArmStore } from '../../link/arm-store.ts';
import type { ArmView } from '../../link/arm-view.ts';
import { heading } from '../../shell/heading.ts';
import type { Panel } from '../../shell/panel.ts';
import { button, element, setAttribute } from '../../ui/element.ts';
import { createJointSeries, JOINTS } from '../../ui/joint-series.ts';
import { MINUTES, type PlotRange, SECONDS, TimePlot } from '../../ui/time-plot.ts';
import { degrees } from '../../ui/value-text.ts';
import { createLookBack, type LookBack, type LookPlot } from './look-back.ts';
import { createPlotTime } from './plot-time.ts';

const LIMIT_DEG_S = Math.round(degrees(Math.max(...VELOCITY_MAX_RAD_S)));
const VELOCITY: PlotRange = {
  low: -LIMIT_DEG_S - 12,
  high: LIMIT_DEG_S + 12,
  ticks: [100, 0, -100],
  limits: [LIMIT_DEG_S, -LIMIT_DEG_S],
  limitText: `limit ${LIMIT_DEG_S}`,
};
const TEMPERATURE: PlotRange = {
  low: 18,
  high: 72,
  ticks: [20, 30, 40, 50, 60, 70],
  limits: [],
  limitText: '',
};

const POSITION: PlotRange = {
  low: -185,
  high: 185,
  ticks: [180, 90, 0, -90, -180],
  limits: [],
  limitText: '',
};
/** The page looks back so far (ms). */
const KEPT_MS = 600_000;
const MOMENTS = { unit: SECONDS, window_ms: 8_000 } as const;

function plotSection(title: string, unit: string, canvas: HTMLCanvasElement): Panel {
  const head = heading(title, element('span', { class: 'plot-unit' }, unit));
  const tab = { class: 'panel plot', 'data-tab': 'plots' };
  return { element: element('section', tab, head.element, canvas), update: head.update };
}

export interface PlotsPanel extends Panel {
  readonly lookBack: LookBack;
  /** Adds the values of a view to the plots. */
  record(view: ArmView): void;
}

/** Tabs that select one plot; visible only where the others do not fit. */
function plotTabs(sections: readonly HTMLElement[], titles: readonly string[]): HTMLElement {
  const tabs = titles.map((title, i) => button({ class: 'tab' }, () => select(i), title));
  function select(selected: number): void {
    for (const [i, tab] of tabs.entries()) {
      setAttribute(tab, 'aria-pressed', String(i === selected));
      setAttribute(sections[i]!, 'data-front', i === selected);
    }
  }
  select(0);
  return element('div', { class: 'dock-tabs' }, ...tabs);
}

/** Creates the plots. */
export function createPlotsPanel(store: ArmStore): PlotsPanel {
  const velocity = createJointSeries(KEPT_MS, 20);
  const temperature = createJointSeries(KEPT_MS, 2_000);
  const position = createJointSeries(KEPT_MS, 20);
  const all = [velocity, temperature, position] as const;
  const long = { unit: MINUTES, window_ms: KEPT_MS };
  const plots = [
    new TimePlot({ series: velocity, range: VELOCITY, ...MOMENTS }),
    new TimePlot({ series: temperature, range: TEMPERATURE, ...long }),
    new TimePlot({ series: position, range: POSITION, ...MOMENTS }),
  ] as const;
  const titles = ['Joint velocity', 'Temperature', 'Joint position'] as const;
  const sections = [
    plotSection(titles[0], '°/s, last 8 s', plots[0].canvas),
    plotSection(titles[1], '°C, last 10 min', plots[1].canvas),
    plotSection(titles[2], '°, last 8 s', plots[2].canvas),
  ];
  const elements = sections.map((section) => section.element);
  const tabs = plotTabs(elements, titles);
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
  const looked = plots.map((plot, i): LookPlot => {
    return { plot, title: titles[i]!, window_ms: i === 1 ? KEPT_MS : MOMENTS.window_ms };
  });
  const lookBack = createLookBack({
    ...{ store, plots: looked, positions: position },
    now_ms: () => now_ms,
  });
  return {
    lookBack,
    element: element('div', { class: 'dock' }, tabs, ...elements),
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
    update(shown) {
      const { view } = shown;
      const faded = view.link !== 'live';
      const time_ms = timeOf(view);
      now_ms = faded ? recorded_ms : time_ms;
      for (const section of sections) section.update(shown);
      const cursor_ms = view.lookBack?.at_ms ?? null;
      for (const plot of looked) {
        const end_ms = lookBack.end_ms(plot);
        plot.plot.draw({ end_ms, behind_ms: now_ms - end_ms, cursor_ms, faded });
      }
      lookBack.update();
    },
  };
}
