/**
 * The Simulation page: cell, situations, clock, manual control, faults, obstacles, inputs,
 * snapshots and recording beside the scene; log and journal on the other side. Shown only to admins
 * of a simulated arm; loaded as its own chunk.
 */
import { computed, signal, useComputed } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import type { CollisionLayer } from '../../scene/collision-layer.ts';
import type { Page, PageParts } from '../../shell/page.ts';
import { createPageView } from '../../shell/page-view.ts';
import { mount } from '../../ui/mount.ts';
import { loadStyles } from '../../ui/style-sheets.ts';
import { createCellActions } from './cell-actions.ts';
import { CellPanel } from './cell-panel.tsx';
import { ClockPanel } from './clock-panel.tsx';
import { type DragParts, dragCellParts, moveByKeys } from './drag-cell-parts.ts';
import { FaultsPanel } from './faults-panel.tsx';
import { InputsPanel } from './inputs-panel.tsx';
import { JournalPanel } from './journal-panel.tsx';
import { ManualControlPanel } from './manual-control-panel.tsx';
import { ObstaclesPanel } from './obstacles-panel.tsx';
import type { PanelProps } from './panel-context.ts';
import { type PlaceAt, placeByClick } from './place-by-click.ts';
import { RecordingPanel } from './recording-panel.tsx';
import { ResetPanel } from './reset-panel.tsx';
import { createSimulationCalls } from './simulation-context.ts';
import { SituationsPanel } from './situations-panel.tsx';
import { SnapshotsPanel } from './snapshots-panel.tsx';
import { TwinLogPanel } from './twin-log-panel.tsx';

const STYLES = [
  new URL('../../styles/forms.css', import.meta.url),
  new URL('../../styles/simulation.css', import.meta.url),
];
/** State drawn by the page. The collision layer is null until it is first shown. */
export interface SimulationLayers {
  readonly collision: () => CollisionLayer | null;
}

const POLL_MS = 1000;
const REAL_ARM =
  'A real arm: cell, clock, obstacles, snapshots, recording and reset are of simulated arms.';

/** The panels beside the scene, and whether only simulated arms have what they show. */
const PANELS: readonly (readonly [panel: FunctionComponent<PanelProps>, isSimulated: boolean])[] = [
  [CellPanel, true],
  [SituationsPanel, false],
  [ClockPanel, true],
  [ManualControlPanel, false],
  [FaultsPanel, false],
  [ObstaclesPanel, true],
  [InputsPanel, false],
  [SnapshotsPanel, true],
  [RecordingPanel, true],
  [ResetPanel, true],
];

function SimulationPage({ context }: PanelProps) {
  const isReal = useComputed(() => context.arm.value.sim?.obstacles === null).value;
  return (
    <>
      <section class="simulation" aria-label="Simulation">
        {isReal && <p class="simulation-note">{REAL_ARM}</p>}
        {PANELS.map(
          ([ThisPanel, isSimulated], i) =>
            !(isReal && isSimulated) && <ThisPanel key={i} context={context} />,
        )}
      </section>
      <section class="simulation-records inspector-drawer" aria-label="Log and journal">
        <TwinLogPanel context={context} />
        <JournalPanel context={context} />
      </section>
    </>
  );
}

/** Builds the page into the frame; it stays hidden until `enter`. */
export async function createSimulationPage(parts: PageParts): Promise<Page> {
  await loadStyles(STYLES);
  const { store, calls, stage, frame, collision } = parts;
  const page = createPageView(store);
  const { arm, isShown } = page;
  const due = signal(0);
  const selected = signal<string | null>(null);
  const placing = signal<PlaceAt | null>(null);
  const view = () => store.view();
  const simulation = { calls: createSimulationCalls(store, calls), view };
  const actions = createCellActions(simulation);
  function select(name: string | null): void {
    selected.value = name;
    collision.cell()?.select(name);
  }
  const dragged: DragParts = {
    stage,
    layer: () => collision.cell(),
    cell: () => view().sim?.cell?.description ?? null,
    isShown: () => isShown.value && !placing.value,
    onSelect: select,
    onDrop: actions.drop,
  };
  const onKey = moveByKeys(dragged);
  const context = { ...simulation, arm, due, actions, selected, select, onKey, placing };
  mount(frame, <SimulationPage context={context} />);
  placeByClick(stage, () => (isShown.value ? placing.value : null));
  dragCellParts(dragged);
  // Before the next frame, which a busy page draws late: an edit of its own would look as another's.
  computed(() => store.shown.sim.value?.cell?.description ?? null).subscribe((cell) =>
    actions.follow(cell),
  );
  function poll(): void {
    if (isShown.value && !document.hidden && view().link === 'live') due.value += 1;
  }
  setInterval(poll, POLL_MS);
  return {
    drawn: { collision: () => collision.layer() } satisfies SimulationLayers,
    enter() {
      page.enter();
      poll();
    },
    leave() {
      page.leave();
      select(null);
    },
  };
}
