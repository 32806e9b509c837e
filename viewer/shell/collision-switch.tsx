/**
 * The switch of what surrounds the arm: the collision layer with capsules (key C) and obstacles.
 * The layer overlays every page with a scene; it loads as its own chunk when there is first
 * something to show.
 */

import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { ComponentChild } from 'preact';
import type { CellLayer } from '../scene/cell-layer.ts';
import type { CollisionEnvironment, CollisionLayer } from '../scene/collision-layer.ts';
import { Chips } from '../ui/chips.tsx';
import { onChange } from '../ui/view-store.ts';
import { createCellSwitch, type Parts } from './cell-switch.ts';

export interface CollisionSwitch {
  /** The switches, in the bar over the scene. */
  readonly chips: ComponentChild;
  /** Shows or hides the capsules. */
  toggleCapsules(): void;
  /** The layer; null until it is first shown. */
  layer(): CollisionLayer | null;
  /** The layer of the cell; null until there is a cell. */
  cell(): CellLayer | null;
}
const NO_TOUCHES: CollisionEnvironment['touches'] = [];

/**
 * Returns the same object while the environment is unchanged, so that the layer detects changes.
 */
function createEnvironment({ store, posed }: Parts) {
  let last: { readonly parts: readonly unknown[]; readonly value: CollisionEnvironment } | null =
    null;
  return (shown: CollisionEnvironment['shown']): CollisionEnvironment => {
    const { loaded, sim } = store.view();
    const planned = posed();
    const toolpath = planned?.toolpath ?? loaded?.toolpath;
    // The arm's contacts do not apply to another pose.
    const touches = (planned ? null : sim?.touches) ?? NO_TOUCHES;
    const parts = [toolpath, sim?.obstacles, touches, shown];
    if (last?.parts.every((part, i) => part === parts[i])) return last.value;
    const value = {
      tool: toolpath?.metadata.tcp_config,
      zones: toolpath?.metadata.avoidance_zones ?? [],
      obstacles: sim?.obstacles ?? [],
      touches,
      shown,
    };
    last = { parts, value };
    return value;
  };
}

interface Switch {
  readonly label: string;
  readonly isOn: ReadonlySignal<boolean>;
  /** Whether there is something to show. */
  readonly isOffered?: ReadonlySignal<boolean>;
  readonly toggle: () => void;
}

function CollisionChips({ switches }: { readonly switches: readonly Switch[] }) {
  const offered = switches.filter(({ isOffered }) => isOffered?.value !== false);
  const named = (label: string) => switches.find((each) => each.label === label)!;
  return (
    <Chips
      class="glass chips collision-chips"
      label="Collision"
      options={offered.map(({ label }) => [label, label])}
      isOn={(label) => named(label).isOn.value}
      press={(label) => named(label).toggle()}
    />
  );
}

/** Creates the switches; obstacles and the cell are shown by default. */
export function createCollisionSwitch(parts: Parts): CollisionSwitch {
  const { store, stage, posed } = parts;
  const environmentOf = createEnvironment(parts);
  const [capsules, obstacles] = [signal(false), signal(true)];
  const placed = computed(() => store.shown.sim.value?.obstacles);
  const hasObstacles = computed(() => (placed.value ?? []).length > 0);
  let loading: Promise<CollisionLayer> | null = null;
  let layer: CollisionLayer | null = null;
  const cell = createCellSwitch(parts);

  async function load(): Promise<CollisionLayer> {
    const { CollisionLayer } = await import('../scene/collision-layer.ts');
    const created = new CollisionLayer({
      joints: () => posed()?.joints ?? stage.arm.drawnJoints(),
      environment: () => environmentOf(shown.value),
    });
    stage.element.append(created.labels);
    layer = created;
    return created;
  }

  /** What is wanted of the layer; the same object while that is unchanged. */
  const shown = computed(() => ({ capsules: capsules.value, obstacles: obstacles.value }));

  async function show(): Promise<void> {
    const wanted = capsules.value || (obstacles.value && hasObstacles.value);
    if (!wanted && !layer) return;
    loading ??= load();
    const loaded = await loading;
    stage.setOverlay(loaded, wanted);
    loaded.labels.hidden = !wanted;
  }

  const toggle = (isOn: Signal<boolean>) => (): void => {
    isOn.value = !isOn.value;
  };
  const switches: readonly Switch[] = [
    { label: 'Capsules', isOn: capsules, toggle: toggle(capsules) },
    {
      ...{ label: 'Obstacles', isOn: obstacles, isOffered: hasObstacles },
      toggle: toggle(obstacles),
    },
    { label: 'Cell', isOn: cell.isShown, isOffered: cell.isThere, toggle: cell.toggle },
  ];

  effect(() => {
    void [placed.value, show()];
  });
  onChange(
    computed(() => store.shown.sim.value?.touches),
    () => layer && stage.requestRender(),
  );
  return {
    chips: <CollisionChips switches={switches} />,
    toggleCapsules: toggle(capsules),
    layer: () => layer,
    cell: cell.layer,
  };
}
