/**
 * The switch of what surrounds the arm: the collision layer with capsules (key C) and obstacles.
 * The layer overlays every page with a scene; it loads as its own chunk when there is first
 * something to show.
 */

import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { ComponentChild } from 'preact';
import type { CellLayer } from '../scene/cell-layer.ts';
import type { CollisionEnvironment, CollisionLayer } from '../scene/collision-layer.ts';
import { Button } from '../ui/buttons.tsx';
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

interface SwitchProps {
  readonly label: string;
  readonly isOn: ReadonlySignal<boolean>;
  /** Whether there is something to show. */
  readonly isOffered?: ReadonlySignal<boolean>;
  readonly toggle: () => void;
}

function Switch({ label, isOn, isOffered, toggle }: SwitchProps) {
  return (
    <Button
      class="chip"
      aria-pressed={isOn.value}
      hidden={isOffered?.value === false}
      onClick={toggle}
    >
      {label}
    </Button>
  );
}

interface CollisionChipsProps {
  readonly switches: readonly SwitchProps[];
}

function CollisionChips({ switches }: CollisionChipsProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has borders and a legend
    <div class="glass chips collision-chips" role="group" aria-label="Collision">
      {switches.map((each) => (
        <Switch key={each.label} {...each} />
      ))}
    </div>
  );
}

/** Creates the switches; obstacles and the cell are shown by default. */
export function createCollisionSwitch(parts: Parts): CollisionSwitch {
  const { store, stage, posed } = parts;
  const environmentOf = createEnvironment(parts);
  const [capsules, obstacles, hasObstacles] = [signal(false), signal(true), signal(false)];
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
    hasObstacles.value = (store.view().sim?.obstacles ?? []).length > 0;
    const wanted = capsules.value || (obstacles.value && hasObstacles.value);
    if (!wanted && !layer) return;
    loading ??= load();
    const loaded = await loading;
    stage.setOverlay(loaded, wanted);
    loaded.labels.hidden = !wanted;
  }

  const toggle = (isOn: Signal<boolean>) => (): void => {
    isOn.value = !isOn.value;
    void show();
  };
  const switches: readonly SwitchProps[] = [
    { label: 'Capsules', isOn: capsules, toggle: toggle(capsules) },
    {
      ...{ label: 'Obstacles', isOn: obstacles, isOffered: hasObstacles },
      toggle: toggle(obstacles),
    },
    { label: 'Cell', isOn: cell.isShown, isOffered: cell.isThere, toggle: cell.toggle },
  ];

  store.subscribe((view, before) => {
    if (view.sim?.obstacles !== before.sim?.obstacles) void show();
    else if (view.sim?.touches !== before.sim?.touches && layer) stage.requestRender();
  });
  void show();
  return {
    chips: <CollisionChips switches={switches} />,
    toggleCapsules: toggle(capsules),
    layer: () => layer,
    cell: cell.layer,
  };
}
