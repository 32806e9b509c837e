/** Draws the panels of the Live page, a part of the page that the first picture does not need. */
import { signal } from '@preact/signals';
import { render } from 'preact';
import type { ArmCalls } from '../../link/arm-calls.ts';
import type { ArmStore } from '../../link/arm-store.ts';
import type { Commands } from '../../link/commands.ts';
import type { Shown } from '../../shell/panel.ts';
import type { RunChoice } from '../../shell/run-choice.ts';
import { EventsPanel } from './events-panel.tsx';
import { IoPanel } from './io-panel.tsx';
import { JointsPanel } from './joints-panel.tsx';
import type { LivePanelProps } from './live-state.ts';
import { LookBackChip } from './look-back-chip.tsx';
import { createPlots } from './plots.ts';
import { PlotsPanel } from './plots-panel.tsx';
import { ResidualPanel } from './residual-panel.tsx';
import type { CreateToolpathPicker } from './run-options.tsx';
import { RunPanel } from './run-panel.tsx';
import { Tabs } from './tabs.tsx';
import { ToolReadout } from './tool-readout.tsx';

export interface LivePageParts {
  readonly store: ArmStore;
  readonly calls: ArmCalls;
  readonly commands: Commands;
  /** The options of the next run, which the motion buttons use. */
  readonly choice: RunChoice;
}

/** Where the panels are in the frame. */
export interface LivePlaces {
  readonly page: HTMLElement;
  readonly readout: HTMLElement;
  readonly lookBack: HTMLElement;
  readonly plots: HTMLElement;
  readonly tabs: HTMLElement;
  readonly inspector: HTMLElement;
}

interface InspectorProps extends LivePanelProps {
  readonly parts: LivePageParts;
  readonly createPicker: CreateToolpathPicker;
}

function Inspector({ live, parts, createPicker }: InspectorProps) {
  const { calls, commands, choice } = parts;
  const { sim, driver } = live.texts.value.view;
  return (
    <>
      <RunPanel {...{ live, choice, commands, createPicker }} />
      <JointsPanel live={live} />
      <IoPanel live={live} commands={commands} />
      <EventsPanel live={live} />
      {sim && driver === 'mirrored' && <ResidualPanel calls={calls} />}
    </>
  );
}

/** Draws the panels into their places; the plots record what the store receives from now on. */
export function drawLivePanels(
  parts: LivePageParts,
  places: LivePlaces,
  createPicker: CreateToolpathPicker,
) {
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
  render(<Inspector {...{ live, parts, createPicker }} />, places.inspector);
  return { texts, moves, plots };
}
