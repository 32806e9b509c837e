/**
 * The plots of the Live page: joint velocity of the last 8 s, temperature of the last 10 min, and
 * on wide screens joint position, all in the time of the twin. Tabs select the plot where only one
 * fits.
 */

import { VELOCITY_MAX_RAD_S } from '../../../physics/arm/arm-model.ts';
import type { ArmView } from '../../link/arm-view.ts';
import { heading } from '../../shell/heading.ts';
import type { Panel } from '../../shell/panel.ts';
import { button, element, setAttribute } from '../../ui/element.ts';
import { createJointSeries, JOINTS } from '../../ui/joint-series.ts';
import { type PlotRange, TimePlot } from '../../ui/time-plot.ts';
import { degrees } from '../../ui/value-text.ts';
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
const SECONDS = ['−8 s', '−6 s', '−4 s', '−2 s', 'now'] as const;

function plotSection(title: string, unit: string, canvas: HTMLCanvasElement): Panel {
  canvas.setAttribute('aria-label', `${title}, ${unit}`);
  const head = heading(title, element('span', { class: 'plot-unit' }, unit));
  const tab = { class: 'panel plot', 'data-tab': 'plots' };
  return { element: element('section', tab, head.element, canvas), update: head.update };
}

export interface PlotsPanel extends Panel {
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
export function createPlotsPanel(): PlotsPanel {
  const velocity = createJointSeries(8_000, 20);
  const temperature = createJointSeries(600_000, 2_000);
  const position = createJointSeries(8_000, 20);
  const minutes = ['−10.0 min', '−7.5 min', '−5.0 min', '−2.5 min', 'now'];
  const plots = [
    new TimePlot({ series: velocity, range: VELOCITY, times: SECONDS }),
    new TimePlot({ series: temperature, range: TEMPERATURE, times: minutes }),
    new TimePlot({ series: position, range: POSITION, times: SECONDS }),
  ] as const;
  const sections = [
    plotSection('Joint velocity', '°/s, last 8 s', plots[0].canvas),
    plotSection('Temperature', '°C, last 10 min', plots[1].canvas),
    plotSection('Joint position', '°, last 8 s', plots[2].canvas),
  ];
  const elements = sections.map((section) => section.element);
  const tabs = plotTabs(elements, ['Joint velocity', 'Temperature', 'Joint position']);
  const angles_deg = new Float64Array(JOINTS);
  const plotTime = createPlotTime();
  /** The time of a view; what was drawn on another axis is gone. */
  function timeOf(view: ArmView): number {
    const { now_ms, isNew } = plotTime(view);
    if (isNew) for (const series of [velocity, temperature, position]) series.clear();
    return now_ms;
  }
  let recorded_ms = 0;
  return {
    element: element('div', { class: 'dock' }, tabs, ...elements),
    record(view) {
      const { link, snapshot } = view;
      const now_ms = timeOf(view);
      if (link !== 'live') return;
      recorded_ms = now_ms;
      if (!snapshot) return;
      velocity.add(snapshot['servos.telemetry.velocity'], now_ms);
      temperature.add(snapshot['servos.telemetry.temperature'], now_ms);
      for (let j = 0; j < JOINTS; j++) {
        angles_deg[j] = degrees(snapshot['servos.telemetry.position'][j]!);
      }
      position.add(angles_deg, now_ms);
    },
    update(shown) {
      const { view } = shown;
      const now_ms = timeOf(view);
      const stale = view.link !== 'live';
      for (const section of sections) section.update(shown);
      for (const plot of plots) plot.draw(stale ? recorded_ms : now_ms, stale);
    },
  };
}
