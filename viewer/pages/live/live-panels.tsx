/** Draws the panels of the Live page, a part of the page that the first picture does not need. */
import { signal } from '@preact/signals';
import { render } from 'preact';
import type { Shown } from '../../shell/panel.ts';
import { EventsPanel } from './events-panel.tsx';
import { IoPanel } from './io-panel.tsx';
import { JointsPanel } from './joints-panel.tsx';
import type { LivePageParts, RunPartsProps } from './live-state.ts';
import { LookBackChip } from './look-back-chip.tsx';
import { createPlots } from './plots.ts';
import { PlotsPanel } from './plots-panel.tsx';
import { ResidualPanel } from './residual-panel.tsx';
import { RunPanel } from './run-panel.tsx';
import { Tabs } from './tabs.tsx';
import { ToolReadout } from './tool-readout.tsx';

/** Where the panels are in the frame. */
export interface LivePlaces {
  readonly page: HTMLElement;
  readonly readout: HTMLElement;
  readonly lookBack: HTMLElement;
  readonly plots: HTMLElement;
  readonly tabs: HTMLElement;
  readonly inspector: HTMLElement;
}

function Inspector({ live, parts }: RunPartsProps) {
  const { calls, commands } = parts;
  const { sim, driver } = live.texts.value.view;
  return (
    <>
      <RunPanel live={live} parts={parts} />
      <JointsPanel live={live} />
      <IoPanel live={live} commands={commands} />
      <EventsPanel live={live} />
      {sim && driver === 'mirrored' && <ResidualPanel calls={calls} />}
    </>
  );
}

/** Draws the panels into their places; the plots record what the store receives from now on. */
export function drawLivePanels(parts: LivePageParts, places: LivePlaces) {
  const { store } = parts;
  const first: Shown = { view: store.view(), now_ms: performance.now(), age_ms: 0 };
  const [texts, moves] = [signal(first), signal(first)];
  const live = { texts, moves };
  const plots = createPlots(store);
  store.subscribe((view) => plots.record(view));
  render(<ToolReadout live={live} />, places.readout);
  render(<LookBackChip live={live} plots={plots} />, places.lookBack);
  render(<PlotsPanel live={live} plots={plots.plots} />, places.plots);
  render(<Tabs page={places.page} />, places.tabs);
  render(<Inspector live={live} parts={parts} />, places.inspector);
  return { texts, moves, plots };
}
