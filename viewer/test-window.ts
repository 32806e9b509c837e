/**
 * Exposes the drawn state of the page to the end-to-end tests as `window.armtwin`. All values are
 * read back from the rendered objects.
 */
import { Vector3 } from 'three';
import type { ArmStore } from './link/arm-store.ts';
import type { DrawnCell } from './scene/cell-layer.ts';
import type { DrawCost } from './scene/renderer.ts';
import type { Stage } from './scene/stage.ts';

/** What the pages draw. */
export type { SimulationLayers } from './pages/simulation/simulation-page.tsx';
export type { TeachScene } from './pages/teach/teach-page.tsx';
export type { DeckLayer } from './pages/workflow/deck-layer.ts';
export type { ToolpathLayer } from './toolpath/toolpath-layer.ts';

export interface ArmWindow {
  /** Joint angles (rad) read back from the drawn objects. */
  readonly joints: () => number[];
  /** The drawn objects' matrices (column-major, live), base first. */
  readonly matrices: () => readonly (readonly number[])[];
  /** Where the origins of the drawn links are in the window (px), base first. */
  readonly pixels: () => readonly (readonly [x: number, y: number])[];
  /** Frames drawn so far. */
  readonly frames: () => number;
  /** Whether the arm or the camera moves, or a frame with a change is due. */
  readonly isMoving: () => boolean;
  /** State of the robot; the link state while the link is not live. */
  readonly state: () => string;
  /** State drawn by a page, by page name; null before the page is first opened. */
  readonly page: (name: string) => object | null;
  readonly cost: () => DrawCost;
  /** What is drawn of the cell; null before there is one. */
  readonly cell: () => DrawnCell | null;
}

/** Defines `window.armtwin`. */
export function exposeForTests(
  stage: Stage,
  store: ArmStore,
  { page, cell = () => null }: Pick<ArmWindow, 'page'> & Partial<Pick<ArmWindow, 'cell'>>,
): void {
  const value: ArmWindow = {
    joints: () => stage.arm.drawnJoints(),
    matrices: () => stage.arm.links.map((link) => link.matrix.elements),
    pixels: () =>
      stage.arm.links.map(({ matrix }) =>
        stage.pixelOf(new Vector3().setFromMatrixPosition(matrix)),
      ),
    frames: () => stage.frames(),
    isMoving: () => stage.isMoving(),
    state: () => {
      const { link, snapshot } = store.view();
      return link === 'live' && snapshot ? snapshot.control.state : link;
    },
    page,
    cell,
    cost: () => stage.cost(),
  };
  Object.defineProperty(window, 'armtwin', { value: Object.freeze(value) });
}
