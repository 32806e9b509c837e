/**
 * The gizmo at the tool of the ghost: three arrows and three rings, dragged with the pointer or
 * stepped with the arrow keys. It moves the ghost, never the arm.
 */

import type { Box } from '../../scene/label-box.ts';
import { element, setAttribute, setText } from '../../ui/element.ts';
import { svg } from '../../ui/svg.ts';
import { decimal } from '../../ui/value-text.ts';
import { axisOf } from './gizmo-geometry.ts';
import {
  arrowPath,
  handleBox,
  onScreen,
  rayThrough,
  ringPaths,
  type ScreenView,
} from './gizmo-shape.ts';
import { HANDLE_KINDS, type Handle, snapAmount } from './handle-kinds.ts';
import type { TargetPose } from './target-pose.ts';
import type { TeachSettings } from './teach-settings.ts';

const NAMES = ['X', 'Y', 'Z'] as const;
const HANDLES: readonly Handle[] = (['turn', 'move'] as const).flatMap((kind) =>
  [0, 1, 2].map((axis) => ({ kind, axis })),
);
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
  return svg('path', { class: name });
}

function drawnHandle(handle: Handle): DrawnHandle {
  const group = svg('g');
  const name = NAMES[handle.axis]!;
  const parts = { hit: path('gizmo-hit'), far: path('gizmo-far'), line: path('gizmo-line') };
  group.setAttribute('class', `gizmo-handle gizmo-${handle.kind} axis-${name.toLowerCase()}`);
  group.setAttribute('role', 'slider');
  group.setAttribute('tabindex', '0');
  group.setAttribute('aria-label', `${HANDLE_KINDS[handle.kind].verb} ${name}`);
  group.append(parts.hit, parts.far, parts.line);
  return { handle, group, ...parts };
}

function amountText({ kind, axis }: Handle, amount: number): string {
  const sign = amount > 0 ? '+' : '';
  const { prefix, shown, unit } = HANDLE_KINDS[kind];
  return `${prefix}${NAMES[axis]} ${sign}${decimal(shown(amount), 1)}${unit}`;
}

/** A gizmo that moves `target`; put `element` over the canvas. */
export class Gizmo {
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
    const groups = this.handles.map(({ group }) => group);
    const lines = svg('svg', { class: 'gizmo-lines' }, ...groups);
    const label = { role: 'group', 'aria-label': 'Gizmo' };
    this.element = element('div', { class: 'gizmo', ...label }, lines, this.amount);
    for (const { group, handle } of this.handles) this.listen(group, handle);
  }

  /** Draws the gizmo at the ghost's tool. */
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

  /** What it takes of the screen (px), as it was drawn last; null before. */
  box(): Box | null {
    const { sight } = this;
    const pose = this.target.pose();
    return sight && handleBox(sight, [pose[9]!, pose[10]!, pose[11]!]);
  }

  /** Cancels the active drag; returns false if there is none. */
  escape(): boolean {
    if (!this.drag) return false;
    this.target.dragTo(0);
    this.finish();
    return true;
  }

  /** Announces position and orientation in the base frame, whatever frame is dragged in. */
  private announce(pose: Float64Array): void {
    for (const { handle, group } of this.handles) {
      const { unit, valueAt } = HANDLE_KINDS[handle.kind];
      const value = valueAt(pose, handle.axis);
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
    const kind = HANDLE_KINDS[handle.kind];
    const read = (at: PointerEvent): number | null => {
      const box = this.element.getBoundingClientRect();
      const ray = rayThrough(sight, at.clientX - box.left, at.clientY - box.top);
      return kind.read(ray, centre, along);
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
        sum += kind.between(last, now);
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
    const step = HANDLE_KINDS[handle.kind].step * (event.shiftKey ? 10 : 1);
    const along = axisOf(this.target.pose(), handle.axis, this.settings.view().frame);
    this.target.begin({ kind: handle.kind, along });
    this.target.dragTo(sign * step);
    this.target.end();
  }
}
