/**
 * The switches of the collision layer: capsules (key C) and obstacles. The layer itself comes in a
 * chunk of its own when there is first something to show; it lies over every page with a scene.
 */
import type { Toolpath } from '../../contract/types.ts';
import type { ArmStore } from '../link/arm-store.ts';
import type { CollisionLayer, Surroundings } from '../scene/collision-layer.ts';
import type { Stage } from '../scene/stage.ts';
import { button, element, setAttribute } from './element.ts';

/** A pose that a page shows in place of the arm's own, and the toolpath it belongs to. */
export interface PosedToolpath {
  readonly joints: ArrayLike<number>;
  readonly toolpath: Toolpath;
}

export interface CollisionSwitch {
  readonly element: HTMLElement;
  /** Shows the capsules, or hides them. */
  flip(): void;
  /** What is drawn, once there was something to draw. */
  layer(): CollisionLayer | null;
}

interface Parts {
  readonly store: ArmStore;
  readonly stage: Stage;
  /** What the shown page has posed; null while it shows the arm itself. */
  readonly posed: () => PosedToolpath | null;
}

const NO_TOUCHES: Surroundings['touches'] = [];

/** Tells the same surroundings by the same object, so that the layer sees when they change. */
function createSurroundings({ store, posed }: Parts) {
  let last: { readonly parts: readonly unknown[]; readonly value: Surroundings } | null = null;
  return (shown: Surroundings['shown']): Surroundings => {
    const { loaded, sim } = store.view();
    const planned = posed();
    const toolpath = planned?.toolpath ?? loaded?.toolpath;
    // What the arm itself touches says nothing of a pose that it is not in.
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

/** The switches; obstacles show at once wherever there are some. */
export function createCollisionSwitch(parts: Parts): CollisionSwitch {
  const { store, stage, posed } = parts;
  const around = createSurroundings(parts);
  let shown = { capsules: false, obstacles: true };
  let coming: Promise<CollisionLayer> | null = null;
  let layer: CollisionLayer | null = null;
  const chip = (words: string, key: keyof typeof shown) => {
    const made = button({ class: 'chip' }, () => turn(key), words);
    return { key, element: made };
  };
  const chips = [chip('Capsules', 'capsules'), chip('Obstacles', 'obstacles')] as const;
  const group = element(
    'div',
    { class: 'glass chips collision-chips', role: 'group', 'aria-label': 'Collision' },
    ...chips.map((each) => each.element),
  );

  async function load(): Promise<CollisionLayer> {
    const { createCollisionLayer } = await import('../scene/collision-layer.ts');
    const made = createCollisionLayer({
      joints: () => posed()?.joints ?? stage.arm.drawnJoints(),
      surroundings: () => around(shown),
    });
    stage.element.append(made.labels);
    layer = made;
    return made;
  }

  async function show(): Promise<void> {
    const obstacles = store.view().sim?.obstacles ?? [];
    const wanted = shown.capsules || (shown.obstacles && obstacles.length > 0);
    for (const each of chips) setAttribute(each.element, 'aria-pressed', String(shown[each.key]));
    setAttribute(chips[1].element, 'hidden', obstacles.length === 0);
    if (!wanted && !layer) return;
    coming ??= load();
    const made = await coming;
    stage.setOverlay(made, wanted);
    made.labels.hidden = !wanted;
  }

  function turn(key: keyof typeof shown): void {
    shown = { ...shown, [key]: !shown[key] };
    void show();
  }

  store.subscribe((view, before) => {
    if (view.sim?.obstacles !== before.sim?.obstacles) void show();
    else if (view.sim?.touches !== before.sim?.touches && layer) stage.wake();
  });
  void show();
  return { element: group, flip: () => turn('capsules'), layer: () => layer };
}
