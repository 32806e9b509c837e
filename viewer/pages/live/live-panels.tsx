/** Draws the panels of the Live page, a part of the page that the first picture does not need. */
import { type ReadonlySignal, signal } from '@preact/signals';
import { render } from 'preact';
import type { LivePlaces } from '../../shell/frame.tsx';
import type { Shown } from '../../shell/shown.ts';
import { createPeriod } from '../../ui/period.ts';
import { EventsPanel } from './events-panel.tsx';
import { IoPanel } from './io-panel.tsx';
import { JointsPanel } from './joints-panel.tsx';
import type { LivePageParts, RunPartsProps } from './live-state.ts';
import type { LookBack } from './look-back.ts';
import { LookBackChip } from './look-back-chip.tsx';
import { createPlots } from './plots.ts';
import { PlotsPanel } from './plots-panel.tsx';
import { ResidualPanel } from './residual-panel.tsx';
import { RunPanel } from './run-panel.tsx';
import { Tabs } from './tabs.tsx';
import { ToolReadout } from './tool-readout.tsx';

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

interface DrawnParts {
  readonly parts: LivePageParts;
  readonly places: LivePlaces;
  readonly page: HTMLElement;
  readonly now: ReadonlySignal<Shown>;
}

/** Draws the panels into their places; the plots record what the store receives from now on. */
export function drawLivePanels({ parts, places, page, now }: DrawnParts): LookBack {
  const { store } = parts;
  const plots = createPlots(store);
  const texts = signal(now.peek());
  const isDue = createPeriod();
  const live = { texts, moves: now };
  store.whole.subscribe((view) => plots.record(view));
  now.subscribe((shown) => {
    plots.draw(shown.view);
    if (isDue(shown.now_ms)) texts.value = shown;
  });
  render(<ToolReadout live={live} />, places.readout);
  render(<LookBackChip live={live} plots={plots} />, places.lookBack);
  render(<PlotsPanel live={live} plots={plots.plots} />, places.plots);
  render(<Tabs page={page} />, places.tabs);
  render(<Inspector live={live} parts={parts} />, places.inspector);
  return plots.lookBack;
}
