/**
 * The gizmo at the tool of the ghost: three arrows and three rings, dragged with the pointer or
 * stepped with the arrow keys. It moves the ghost, never the arm.
 */

import { signal } from '@preact/signals';
import type { TargetedKeyboardEvent, TargetedPointerEvent } from 'preact';
import type { Box } from '../../scene/label-box.ts';
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

export const NAMES = ['X', 'Y', 'Z'] as const;
const KEYS: Readonly<Record<string, number>> = {
  ArrowUp: 1,
  ArrowRight: 1,
  ArrowDown: -1,
  ArrowLeft: -1,
};

/** An active drag: reads the amount from the pointer. */
interface Drag {
  readonly handle: Handle;
  amountAt(event: PointerEvent): number | null;
}

function amountText({ kind, axis }: Handle, amount: number): string {
  const sign = amount > 0 ? '+' : '';
  const { prefix, shown, unit } = HANDLE_KINDS[kind];
  return `${prefix}${NAMES[axis]} ${sign}${decimal(shown(amount), 1)}${unit}`;
}

/** A gizmo that moves `target`; `GizmoHandles` draws it. */
export class Gizmo {
  /** The handle that is dragged, and what is said of how far. */
  readonly dragged = signal<Handle | null>(null);
  readonly amount = signal('');
  /** The elements that each frame places: paths of handles for pointer, far and near side. */
  readonly groups = new Map<Handle, SVGGElement>();
  amountBox: HTMLElement | null = null;
  private readonly target: TargetPose;
  private readonly settings: TeachSettings;
  private sight: ScreenView | null = null;
  private drag: Drag | null = null;

  constructor(target: TargetPose, settings: TeachSettings) {
    this.target = target;
    this.settings = settings;
  }

  /** Draws the gizmo at the ghost's tool. */
  place(sight: ScreenView): void {
    this.sight = sight;
    const pose = this.target.pose();
    const centre = [pose[9]!, pose[10]!, pose[11]!] as const;
    const frame = this.settings.frame.peek();
    for (const [handle, group] of this.groups) {
      const [hit, far, line] = group.children;
      const axis = axisOf(pose, handle.axis, frame);
      const ring = handle.kind === 'turn' ? ringPaths(sight, centre, axis) : null;
      const near = ring ? ring.near : arrowPath(sight, centre, axis);
      group.toggleAttribute('data-hidden', near === null);
      line!.setAttribute('d', near ?? '');
      far!.setAttribute('d', ring?.far ?? '');
      hit!.setAttribute('d', `${near ?? ''}${ring?.far ?? ''}`);
    }
    this.announce(pose);
    const [x, y] = onScreen(sight, centre);
    this.amountBox!.style.transform =
      `translate(${(x + 24).toFixed(1)}px, ${(y + 28).toFixed(1)}px)`;
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
    for (const [handle, group] of this.groups) {
      const { unit, valueAt } = HANDLE_KINDS[handle.kind];
      const value = valueAt(pose, handle.axis);
      group.ariaValueNow = value.toFixed(1);
      group.ariaValueText = decimal(value, 1) + unit;
    }
  }

  /** Starts to drag a handle. */
  press(handle: Handle, event: TargetedPointerEvent<SVGGElement>): void {
    if (event.button !== 0) return;
    const group = event.currentTarget;
    this.drag = this.begin(handle, event);
    if (this.drag) group.setPointerCapture(event.pointerId);
    this.dragged.value = this.drag && handle;
    event.preventDefault();
    group.focus();
  }

  private begin(handle: Handle, event: TargetedPointerEvent<SVGGElement>): Drag | null {
    const { sight } = this;
    const lines = event.currentTarget.ownerSVGElement;
    if (!sight || !lines) return null;
    const pose = this.target.pose();
    const centre = [pose[9]!, pose[10]!, pose[11]!] as const;
    const along = axisOf(pose, handle.axis, this.settings.frame.peek());
    const kind = HANDLE_KINDS[handle.kind];
    const read = (at: PointerEvent): number | null => {
      const box = lines.getBoundingClientRect();
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

  /** Goes on with a drag. */
  follow(event: PointerEvent): void {
    const amount = this.drag?.amountAt(event) ?? null;
    if (!this.drag || amount === null) return;
    this.target.dragTo(amount);
    this.amount.value = amountText(this.drag.handle, this.target.reached);
  }

  /** Ends a drag. */
  finish(): void {
    this.drag = null;
    this.target.end();
    this.amount.value = '';
    this.dragged.value = null;
  }

  /** Steps a handle by a key. */
  step(handle: Handle, event: TargetedKeyboardEvent<SVGGElement>): void {
    const sign = KEYS[event.key];
    if (!sign || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const step = HANDLE_KINDS[handle.kind].step * (event.shiftKey ? 10 : 1);
    const along = axisOf(this.target.pose(), handle.axis, this.settings.frame.peek());
    this.target.begin({ kind: handle.kind, along });
    this.target.dragTo(sign * step);
    this.target.end();
  }
}
