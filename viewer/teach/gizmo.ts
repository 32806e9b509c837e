/**
 * The gizmo at the ghost's tool: three arrows and three rings, dragged with the pointer or stepped
 * with the arrow keys. It moves the ghost, never the arm. Also: the scene layer of the Teach page.
 */

import { Vector3 } from 'three';
import { fixedAxisAngles } from '../../physics/math/rotation.ts';
import { element, setAttribute, setText } from '../panels/element.ts';
import { decimal, degrees } from '../panels/value-text.ts';
import type { Arm } from '../scene/arm.ts';
import { createGhost } from '../scene/ghost.ts';
import type { Palette } from '../scene/palette.ts';
import type { SceneLayer } from '../scene/renderer.ts';
import {
  aboutAxis,
  alongAxis,
  arrowPath,
  axisOf,
  type Handle,
  onScreen,
  rayThrough,
  ringPaths,
  type ScreenView,
  snapAmount,
  turnBetween,
} from './gizmo-geometry.ts';
import type { TargetPose } from './target-pose.ts';
import type { TeachSettings } from './teach-motion.ts';

const SVG = 'http://www.w3.org/2000/svg';
const NAMES = ['X', 'Y', 'Z'] as const;
const HANDLES: readonly Handle[] = (['turn', 'move'] as const).flatMap((kind) =>
  [0, 1, 2].map((axis) => ({ kind, axis })),
);
/** Step of an arrow key: 1 mm or 1°; ten times that with Shift. */
/** How far the handles reach above the tip in the start view (m). */
const HANDLES_M = 0.2;
const KEY_M = 0.001;
const KEY_RAD = Math.PI / 180;
const KEYS: Readonly<Record<string, number>> = {
  ArrowUp: 1,
  ArrowRight: 1,
  ArrowDown: -1,
  ArrowLeft: -1,
};

interface DrawnHandle {
  readonly handle: Handle;
  readonly group: SVGGElement;
  readonly hit: SVGPathElement;
  readonly line: SVGPathElement;
  readonly far: SVGPathElement;
}

/** An active drag: reads the amount from the pointer. */
interface Drag {
  readonly handle: Handle;
  amountAt(event: PointerEvent): number | null;
}

function path(name: string): SVGPathElement {
  const made = document.createElementNS(SVG, 'path');
  made.setAttribute('class', name);
  return made;
}

function drawnHandle(handle: Handle): DrawnHandle {
  const group = document.createElementNS(SVG, 'g');
  const name = NAMES[handle.axis]!;
  const parts = { hit: path('gizmo-hit'), far: path('gizmo-far'), line: path('gizmo-line') };
  group.setAttribute('class', `gizmo-handle gizmo-${handle.kind} axis-${name.toLowerCase()}`);
  group.setAttribute('role', 'slider');
  group.setAttribute('tabindex', '0');
  const verb = handle.kind === 'move' ? 'Move the ghost along' : 'Turn the ghost about';
  group.setAttribute('aria-label', `${verb} ${name}`);
  group.append(parts.hit, parts.far, parts.line);
  return { handle, group, ...parts };
}

function amountText({ kind, axis }: Handle, amount: number): string {
  const sign = amount > 0 ? '+' : '';
  if (kind === 'move') return `${NAMES[axis]} ${sign}${decimal(amount * 1000, 1)} mm`;
  return `R${NAMES[axis]} ${sign}${decimal(degrees(amount), 1)}°`;
}

export interface Gizmo {
  readonly element: HTMLElement;
  /** Draws the gizmo at the ghost's tool. */
  place(sight: ScreenView): void;
  /** Cancels the active drag; returns false if there is none. */
  escape(): boolean;
}

class ScreenGizmo implements Gizmo {
  readonly element: HTMLElement;
  private readonly target: TargetPose;
  private readonly settings: TeachSettings;
  private readonly handles = HANDLES.map(drawnHandle);
  private readonly amount = element('span', { class: 'glass gizmo-amount', hidden: true });
  private sight: ScreenView | null = null;
  private drag: Drag | null = null;

  constructor(target: TargetPose, settings: TeachSettings) {
    this.target = target;
    this.settings = settings;
    const svg = document.createElementNS(SVG, 'svg');
    svg.setAttribute('class', 'gizmo-lines');
    svg.append(...this.handles.map(({ group }) => group));
    const label = { role: 'group', 'aria-label': 'Gizmo' };
    this.element = element('div', { class: 'gizmo', ...label }, svg, this.amount);
    for (const { group, handle } of this.handles) this.listen(group, handle);
  }

  place(sight: ScreenView): void {
    this.sight = sight;
    const pose = this.target.pose();
    const centre = [pose[9]!, pose[10]!, pose[11]!] as const;
    const { frame } = this.settings.view();
    for (const { handle, hit, line, far, group } of this.handles) {
      const axis = axisOf(pose, handle.axis, frame);
      const ring = handle.kind === 'turn' ? ringPaths(sight, centre, axis) : null;
      const near = ring ? ring.near : arrowPath(sight, centre, axis);
      group.toggleAttribute('data-hidden', near === null);
      line.setAttribute('d', near ?? '');
      far.setAttribute('d', ring?.far ?? '');
      hit.setAttribute('d', `${near ?? ''}${ring?.far ?? ''}`);
    }
    this.announce(pose);
    const [x, y] = onScreen(sight, centre);
    this.amount.style.transform = `translate(${(x + 24).toFixed(1)}px, ${(y + 28).toFixed(1)}px)`;
  }

  escape(): boolean {
    if (!this.drag) return false;
    this.target.dragTo(0);
    this.finish();
    return true;
  }

  /** Announces position and orientation in the base frame, whatever frame is dragged in. */
  private announce(pose: Float64Array): void {
    const angles = fixedAxisAngles(pose);
    for (const { handle, group } of this.handles) {
      const { kind, axis } = handle;
      const value = kind === 'move' ? pose[9 + axis]! * 1000 : degrees(angles[axis]!);
      const unit = kind === 'move' ? ' mm' : '°';
      setAttribute(group, 'aria-valuenow', value.toFixed(1));
      setAttribute(group, 'aria-valuetext', decimal(value, 1) + unit);
    }
  }

  private listen(group: SVGGElement, handle: Handle): void {
    group.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      this.drag = this.begin(handle, event);
      if (this.drag) group.setPointerCapture(event.pointerId);
      group.toggleAttribute('data-dragged', this.drag !== null);
      event.preventDefault();
      group.focus();
    });
    group.addEventListener('pointermove', (event) => this.follow(event));
    group.addEventListener('lostpointercapture', () => this.finish());
    group.addEventListener('keydown', (event) => this.key(handle, event));
  }

  private begin(handle: Handle, event: PointerEvent): Drag | null {
    const { sight } = this;
    if (!sight) return null;
    const pose = this.target.pose();
    const centre = [pose[9]!, pose[10]!, pose[11]!] as const;
    const along = axisOf(pose, handle.axis, this.settings.view().frame);
    const read = (at: PointerEvent): number | null => {
      const box = this.element.getBoundingClientRect();
      const ray = rayThrough(sight, at.clientX - box.left, at.clientY - box.top);
      return (handle.kind === 'move' ? alongAxis : aboutAxis)(ray, centre, along);
    };
    const start = read(event);
    if (start === null) return null;
    this.target.begin({ kind: handle.kind, along });
    let [last, sum] = [start, 0];
    return {
      handle,
      amountAt(at) {
        const now = read(at);
        if (now === null) return null;
        sum += handle.kind === 'move' ? now - last : turnBetween(last, now);
        last = now;
        return at.shiftKey ? snapAmount(handle.kind, sum) : sum;
      },
    };
  }

  private follow(event: PointerEvent): void {
    const amount = this.drag?.amountAt(event) ?? null;
    if (!this.drag || amount === null) return;
    this.target.dragTo(amount);
    setText(this.amount, amountText(this.drag.handle, this.target.reached));
    this.amount.hidden = false;
  }

  private finish(): void {
    this.drag = null;
    this.target.end();
    this.amount.hidden = true;
    for (const { group } of this.handles) group.removeAttribute('data-dragged');
  }

  private key(handle: Handle, event: KeyboardEvent): void {
    const sign = KEYS[event.key];
    if (!sign || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const step = (handle.kind === 'move' ? KEY_M : KEY_RAD) * (event.shiftKey ? 10 : 1);
    const along = axisOf(this.target.pose(), handle.axis, this.settings.view().frame);
    this.target.begin({ kind: handle.kind, along });
    this.target.dragTo(sign * step);
    this.target.end();
  }
}

/** Creates a gizmo that moves `target`; put `element` over the canvas. */
export function createGizmo(target: TargetPose, settings: TeachSettings): Gizmo {
  return new ScreenGizmo(target, settings);
}

/**
 * Scene layer of the Teach page: the ghost at the target pose, in the fault colour while it has a
 * problem, and the gizmo at its tool.
 */

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
  const ghost = createGhost(arm);
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
  target.subscribe(show);
  show();
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
