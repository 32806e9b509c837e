/**
 * The switch of what surrounds the arm: the collision layer with capsules (key C) and obstacles.
 * The layer overlays every page with a scene; it loads as its own chunk when there is first
 * something to show.
 */

import type { CellLayer } from '../scene/cell-layer.ts';
import type { CollisionEnvironment, CollisionLayer } from '../scene/collision-layer.ts';
import { button, element, setAttribute } from '../ui/element.ts';
import { createCellSwitch, type Parts } from './cell-switch.ts';

export interface CollisionSwitch {
  readonly element: HTMLElement;
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

/** Creates the switches; obstacles and the cell are shown by default. */
export function createCollisionSwitch(parts: Parts): CollisionSwitch {
  const { store, stage, posed } = parts;
  const environmentOf = createEnvironment(parts);
  let shown = { capsules: false, obstacles: true };
  let loading: Promise<CollisionLayer> | null = null;
  let layer: CollisionLayer | null = null;
  const chip = (label: string, key: keyof typeof shown) => {
    return { key, element: button({ class: 'chip' }, () => toggle(key), label) };
  };
  const cell = createCellSwitch(parts);
  const chips = [chip('Capsules', 'capsules'), chip('Obstacles', 'obstacles')] as const;
  const group = element(
    'div',
    { class: 'glass chips collision-chips', role: 'group', 'aria-label': 'Collision' },
    ...chips.map((each) => each.element),
    cell.element,
  );

  async function load(): Promise<CollisionLayer> {
    const { CollisionLayer } = await import('../scene/collision-layer.ts');
    const created = new CollisionLayer({
      joints: () => posed()?.joints ?? stage.arm.drawnJoints(),
      environment: () => environmentOf(shown),
    });
    stage.element.append(created.labels);
    layer = created;
    return created;
  }

  async function show(): Promise<void> {
    const obstacles = store.view().sim?.obstacles ?? [];
    const wanted = shown.capsules || (shown.obstacles && obstacles.length > 0);
    for (const each of chips) setAttribute(each.element, 'aria-pressed', String(shown[each.key]));
    setAttribute(chips[1].element, 'hidden', obstacles.length === 0);
    if (!wanted && !layer) return;
    loading ??= load();
    const loaded = await loading;
    stage.setOverlay(loaded, wanted);
    loaded.labels.hidden = !wanted;
  }

  function toggle(key: keyof typeof shown): void {
    shown = { ...shown, [key]: !shown[key] };
    void show();
  }

  store.subscribe((view, before) => {
    if (view.sim?.obstacles !== before.sim?.obstacles) void show();
    else if (view.sim?.touches !== before.sim?.touches && layer) stage.requestRender();
  });
  void show();
  return {
    element: group,
    toggleCapsules: () => toggle('capsules'),
    layer: () => layer,
    cell: cell.layer,
  };
}
