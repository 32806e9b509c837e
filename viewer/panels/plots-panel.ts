/** The dock of the Live page: joint velocity of the last 8 s, temperature of the last 10 min. */
import { VELOCITY_MAX_RAD_S } from '../../physics/arm/arm-model.ts';
import type { ArmView } from '../link/arm-store.ts';
import { element } from './element.ts';
import { heading, type Panel } from './panel.ts';
import { createSeries, type Series } from './series.ts';
import { createTimePlot, type PlotRange } from './time-plot.ts';
import { degrees } from './value-text.ts';

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

function plotSection(title: string, unit: string, canvas: HTMLCanvasElement): HTMLElement {
  canvas.setAttribute('aria-label', `${title}, ${unit}`);
  const head = heading(title, element('span', { class: 'plot-unit' }, unit));
  return element('section', { class: 'panel plot', 'data-tab': 'plots' }, head.element, canvas);
}

export interface PlotsPanel extends Panel {
  /** Takes a new view into the plots' memory. */
  record(view: ArmView, now_ms: number): void;
}

function take(series: Series, values: readonly number[] | undefined, now_ms: number): void {
  if (values) series.add(values, now_ms);
}

/** The dock with its two plots. */
export function createPlotsPanel(): PlotsPanel {
  const velocity = createSeries(8_000, 20);
  const temperature = createSeries(600_000, 2_000);
  const plots = [
    createTimePlot({
      series: velocity,
      range: VELOCITY,
      times: ['−8 s', '−6 s', '−4 s', '−2 s', 'now'],
    }),
    createTimePlot({
      series: temperature,
      range: TEMPERATURE,
      times: ['−10.0 min', '−7.5 min', '−5.0 min', '−2.5 min', 'now'],
    }),
  ] as const;
  const panel = element(
    'div',
    { class: 'dock' },
    plotSection('Joint velocity', '°/s, last 8 s', plots[0].canvas),
    plotSection('Temperature', '°C, last 10 min', plots[1].canvas),
  );
  let heard_ms = 0;
  return {
    element: panel,
    record(view, now_ms) {
      if (view.link !== 'live') return;
      heard_ms = now_ms;
      take(velocity, view.snapshot?.['servos.telemetry.velocity'], now_ms);
      take(temperature, view.snapshot?.['servos.telemetry.temperature'], now_ms);
    },
    update({ view, now_ms }) {
      const stale = view.link !== 'live';
      for (const plot of plots) plot.draw(stale ? heard_ms : now_ms, stale);
    },
  };
}
