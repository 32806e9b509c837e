/**
 * Scene layer of the Teach page: the ghost at the target pose, in the fault colour while it has a
 * problem, and the gizmo at its tool.
 */

import { effect } from '@preact/signals';
import { Vector3 } from 'three';
import type { Arm } from '../../scene/arm.ts';
import { Ghost } from '../../scene/ghost.ts';
import type { Palette } from '../../scene/palette.ts';
import type { SceneLayer } from '../../scene/scene-layer.ts';
import type { Gizmo } from './gizmo.ts';
import type { TargetPose } from './target-pose.ts';

/** How far the handles reach above the tip in the start view (m). */
const HANDLES_M = 0.2;

/** State read back from the drawn ghost. */
export interface DrawnTarget {
  /** Joint angles (rad) of the ghost; null while it is attached to the arm. */
  readonly joints: readonly number[] | null;
}

export interface TeachLayer extends SceneLayer {
  drawn(): DrawnTarget;
}

interface Parts {
  readonly target: TargetPose;
  readonly gizmo: Gizmo;
  readonly arm: Arm;
  /** Requests a frame. */
  readonly redraw: () => void;
}

/** Creates the layer of a target pose; the page puts the gizmo's element over the canvas. */
export function createTeachLayer({ target, gizmo, arm, redraw }: Parts): TeachLayer {
  const ghost = new Ghost(arm);
  let palette: Palette | null = null;
  let changed = true;
  let tool = target.tool;
  ghost.setTool(tool);
  function show(): void {
    const { joints, detached, problem } = target.view();
    if (tool !== target.tool) {
      tool = target.tool;
      ghost.setTool(tool);
    }
    ghost.setPose(joints);
    ghost.object.visible = detached;
    if (palette) ghost.paint(problem ? palette.fault : palette.accent);
    changed = true;
    redraw();
  }
  effect(show);
  return {
    object: ghost.object,
    update() {
      const finer = ghost.sync();
      const draw = changed || finer;
      changed = false;
      return draw;
    },
    // The handles reach above the tip.
    boundingPoints: () => {
      const tip = new Vector3().fromArray(target.pose(), 9);
      return [tip, tip.clone().setZ(tip.z + HANDLES_M)];
    },
    applyPalette(colours) {
      palette = colours;
      show();
    },
    resize: () => undefined,
    placeLabels: (camera, width, height) => gizmo.place({ camera, width, height }),
    drawn: () => ({ joints: ghost.object.visible ? ghost.drawnJoints() : null }),
  };
}
