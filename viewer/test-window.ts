/**
 * The read-only view of the page for end-to-end tests: what is really drawn, not what was meant to
 * be. Stands apart so that nothing of the product depends on it.
 */
import type { ArmStore } from './link/arm-store.ts';
import type { CollisionLayer } from './scene/collision-layer.ts';
import type { DrawnPlan } from './scene/plan-layer.ts';
import type { DrawCost } from './scene/renderer.ts';
import type { Stage } from './scene/stage.ts';
import type { DrawnTarget } from './teach/teach-layer.ts';

/** What the Workflow page and the Toolpaths page have drawn. */
export type { DeckLayer } from './scene/deck-layer.ts';
export type { PlanLayer } from './scene/plan-layer.ts';

/** What the Teach page has drawn: the ghost, and the zones of what is taught. */
export interface TeachScene {
  drawn(): DrawnTarget & Pick<DrawnPlan, 'zones'>;
}

/** What the Bench page lets tests read: the collision layer, once there was something to draw. */
export interface BenchLayers {
  readonly collision: () => CollisionLayer | null;
}

export interface ArmWindow {
  /** Joint angles (rad) read back from the drawn objects. */
  readonly joints: () => number[];
  /** The drawn objects' matrices (column-major, live), base first. */
  readonly matrices: () => readonly (readonly number[])[];
  /** Frames drawn so far. */
  readonly frames: () => number;
  /** State of the robot, or of the link while it is not live. */
  readonly state: () => string;
  /** What a page has drawn: the plan of `paths`, say; null before it was first opened. */
  readonly page: (name: string) => object | null;
  readonly cost: () => DrawCost;
}

/** Puts `armtwin` on the window. */
export function exposeForTests(
  stage: Stage,
  store: ArmStore,
  page: (name: string) => object | null,
): void {
  const value: ArmWindow = {
    joints: () => stage.arm.drawnJoints(),
    matrices: () => stage.arm.links.map((link) => link.matrix.elements),
    frames: () => stage.frames(),
    state: () => {
      const { link, snapshot } = store.view();
      return link === 'live' && snapshot ? snapshot.control.state : link;
    },
    page,
    cost: () => stage.cost(),
  };
  Object.defineProperty(window, 'armtwin', { value: Object.freeze(value) });
}
