/**
 * Switches of what surrounds the arm: the collision layer with capsules (key C) and obstacles, and
 * the cell. The layers overlay every page with a scene; each loads as its own chunk when there is
 * first something to show.
 */
import type { Toolpath } from '../../contract/types.ts';
import type { ArmStore } from '../link/arm-store.ts';
import type { CellLayer } from '../scene/cell-layer.ts';
import type { CollisionEnvironment, CollisionLayer } from '../scene/collision-layer.ts';
import type { Stage } from '../scene/renderer.ts';
import { afterLayout, button, element, setAttribute } from './element.ts';

/** A pose that a page shows in place of the arm's pose, and the toolpath it belongs to. */
export interface PosedToolpath {
  readonly joints: ArrayLike<number>;
  readonly toolpath: Toolpath;
}

export interface CollisionSwitch {
  readonly element: HTMLElement;
  /** Shows or hides the capsules. */
  toggleCapsules(): void;
  /** The layer; null until it is first shown. */
  layer(): CollisionLayer | null;
  /** The layer of the cell; null until there is a cell. */
  cell(): CellLayer | null;
}

interface Parts {
  readonly store: ArmStore;
  readonly stage: Stage;
  /** The pose that the shown page displays; null while it shows the arm. */
  readonly posed: () => PosedToolpath | null;
}

/** Time after which the chips have their size without the one of the cell. */
const SETTLED_MS = 200;
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

/** Shows the cell as soon as there is one, and its switch. */
function createCellSwitch({ store, stage }: Parts) {
  let layer: CellLayer | null = null;
  let loading: Promise<CellLayer> | null = null;
  let shown = true;
  const chip = button({ class: 'chip', hidden: true }, toggle, 'Cell');

  async function load(): Promise<CellLayer> {
    const { createCellLayer } = await import('../scene/cell-layer.ts');
    const created = createCellLayer({
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

  async function show(): Promise<void> {
    const has = (store.view().sim?.cell ?? null) !== null;
    setAttribute(chip, 'hidden', !has);
    setAttribute(chip, 'aria-pressed', String(shown));
    if (!has && !layer) return;
    loading ??= load();
    const loaded = await loading;
    loaded.labels.hidden = !shown;
    loaded.showGrippers(shown);
    stage.setOverlay(loaded, shown);
  }

  function toggle(): void {
    shown = !shown;
    void show();
  }

  store.subscribe((view, before) => {
    const [now, then] = [view.sim?.cell, before.sim?.cell];
    if (now === then) return;
    if (now?.description === then?.description) stage.requestUpdate();
    else void show();
  });
  return { element: chip, layer: () => layer };
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
    const { createCollisionLayer } = await import('../scene/collision-layer.ts');
    const created = createCollisionLayer({
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
