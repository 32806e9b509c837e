import { computed, effect, signal } from '@preact/signals';
import type { ArmStore } from '../link/arm-store.ts';
import type { CellLayer } from '../scene/cell-layer.ts';
import type { Stage } from '../scene/stage.ts';
import type { PosedToolpath } from '../toolpath/posed-toolpath.ts';
import { afterLayout } from '../ui/animation-frame.ts';
import { onChange } from '../ui/view-store.ts';

export interface Parts {
  readonly store: ArmStore;
  readonly stage: Stage;
  /** The pose that the shown page displays; null while it shows the arm. */
  readonly posed: () => PosedToolpath | null;
}

/** Time after which the chips have their size without the one of the cell. */
const SETTLED_MS = 200;

/** Shows the cell as soon as there is one; what its switch says, and does. */
export function createCellSwitch({ store, stage }: Parts) {
  let layer: CellLayer | null = null;
  let loading: Promise<CellLayer> | null = null;
  const isShown = signal(true);
  const cell = computed(() => store.shown.sim.value?.cell ?? null);
  const description = computed(() => cell.value?.description);
  const isThere = computed(() => cell.value !== null);

  async function load(): Promise<CellLayer> {
    const { CellLayer } = await import('../scene/cell-layer.ts');
    const created = new CellLayer({
      cell: () => store.view().sim?.cell ?? null,
      pace: () => {
        const { clock } = store.view().sim ?? {};
        return !clock || clock.paused ? 0 : clock.real_time_factor;
      },
      arm: stage.arm,
      redraw: () => stage.requestRender(),
      // The camera goes to a first cell; where the user has moved it, it stays for a changed one,
      // and for the arm alone after a reset.
      onCell: (isFirst) =>
        isFirst ? stage.frame() : setTimeout(() => afterLayout(() => stage.reframe()), SETTLED_MS),
      isSlow: () => stage.isSlow(),
    });
    stage.element.append(created.labels);
    layer = created;
    return created;
  }

  async function show(isWanted: boolean): Promise<void> {
    if (!isThere.value && !layer) return;
    loading ??= load();
    const loaded = await loading;
    loaded.labels.hidden = !isWanted;
    loaded.showGrippers(isWanted);
    stage.setOverlay(loaded, isWanted);
  }

  function toggle(): void {
    isShown.value = !isShown.value;
  }

  effect(() => {
    void [description.value, show(isShown.value)];
  });
  onChange(cell, () => stage.requestUpdate());
  return { isThere, isShown, toggle, layer: () => layer };
}
