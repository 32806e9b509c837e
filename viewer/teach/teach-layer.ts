/**
 * What the Teach page draws in the scene beside the plan: the ghost at the taught pose, in the
 * colour of faults while something is in its way, and the gizmo at its tool.
 */
import { Vector3 } from 'three';
import type { Arm } from '../scene/arm.ts';
import { createGhost } from '../scene/ghost.ts';
import type { Palette } from '../scene/palette.ts';
import type { SceneLayer } from '../scene/scene-layer.ts';
import type { Gizmo } from './gizmo.ts';
import type { Target } from './target.ts';

/** What is really drawn of the taught pose. */
export interface DrawnTarget {
  /** Joint angles (rad) of the ghost; null while it is one with the arm. */
  readonly joints: readonly number[] | null;
}

export interface TeachLayer extends SceneLayer {
  drawn(): DrawnTarget;
}

interface Parts {
  readonly target: Target;
  readonly gizmo: Gizmo;
  readonly arm: Arm;
  /** Asks for a frame. */
  readonly redraw: () => void;
}

/** The layer of a target; the gizmo's element is put over the canvas by the page. */
export function createTeachLayer({ target, gizmo, arm, redraw }: Parts): TeachLayer {
  const ghost = createGhost(arm);
  let palette: Palette | null = null;
  let changed = true;
  let tool = target.tool;
  ghost.setTool(tool);
  function show(): void {
    const { joints, apart, problem } = target.view();
    if (tool !== target.tool) {
      tool = target.tool;
      ghost.setTool(tool);
    }
    ghost.setPose(joints);
    ghost.object.visible = apart;
    if (palette) ghost.paint(problem ? palette.fault : palette.accent);
    changed = true;
    redraw();
  }
  target.subscribe(show);
  show();
  return {
    object: ghost.object,
    advance() {
      const finer = ghost.sync();
      const draw = changed || finer;
      changed = false;
      return draw;
    },
    extent: () => [new Vector3().fromArray(target.pose(), 9)],
    paint(colours) {
      palette = colours;
      show();
    },
    resize: () => undefined,
    place: (camera, width, height) => gizmo.place({ camera, width, height }),
    drawn: () => ({ joints: ghost.object.visible ? ghost.drawnJoints() : null }),
  };
}
