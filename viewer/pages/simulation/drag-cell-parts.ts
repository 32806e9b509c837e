/** Moves parts of the cell in the scene by pointer and by keys. */

import { Plane, Vector3 } from 'three';
import type { Cell } from '../../../contract/types.generated.ts';
import type { CellLayer, CellPick } from '../../scene/cell-layer.ts';
import type { Stage } from '../../scene/stage.ts';
import { type BeamEnd, beamEnd } from './beam-end.ts';
import { movedPart, partOf, withPart } from './cell-edit.ts';

const SNAP_M = 0.001;
const COARSE_SNAP_M = 0.01;
/** A press that moves a part less than this selects it only (m). */
const MOVED_M = 0.002;
/** Arrow keys move a part once none was pressed for this long (ms). */
const KEYS_END_MS = 400;

export interface DragParts {
  readonly stage: Stage;
  readonly layer: () => CellLayer | null;
  readonly cell: () => Cell | null;
  readonly isShown: () => boolean;
  onSelect(name: string): void;
  /** Puts a part, or an end of a beam, to where it was dragged by a horizontal way (m). */
  onDrop(name: string, by: Vector3, end: BeamEnd | null): void;
}

/** A part under way: draws it beside its place until it is dropped. */
function partUnderWay({ layer, cell, onDrop }: DragParts) {
  let pick: (Pick<CellPick, 'kind' | 'name'> & { readonly end: BeamEnd | null }) | null = null;
  const by = new Vector3();
  function draw(shown: Vector3 | null): void {
    const now = cell();
    if (!pick || !now) return;
    const { kind, name, end } = pick;
    if (kind !== 'device') layer()?.drag(name, shown);
    else layer()?.preview(shown && withPart(now, name, (part) => movedPart(part, shown, end)));
  }
  return {
    name: () => pick?.name ?? null,
    by,
    start(next: NonNullable<typeof pick>): void {
      pick = next;
      by.set(0, 0, 0);
    },
    draw: () => draw(by),
    finish(dropped: boolean): void {
      if (!pick) return;
      if (dropped) onDrop(pick.name, by.clone(), pick.end);
      draw(null);
      pick = null;
    },
  };
}

/** From far away a beam is a pixel thin: a press so near to a part (px) takes it. */
const NEAR_PX = 6;

/** The part under the pointer, else one beside it. */
function pickNear({ stage, layer }: DragParts, { clientX, clientY }: PointerEvent) {
  for (const [x, y] of [
    [0, 0],
    [0, -NEAR_PX],
    [0, NEAR_PX],
    [-NEAR_PX, 0],
    [NEAR_PX, 0],
  ] as const) {
    const pick = layer()?.pick(stage.ray({ clientX: clientX + x, clientY: clientY + y }));
    if (pick) return pick;
  }
  return null;
}

/** Lets the user drag the parts of the cell over the ground; Shift snaps to 10 mm. */
export function dragCellParts(parts: DragParts): void {
  const { stage, cell, isShown, onSelect } = parts;
  const { canvas } = stage;
  const part = partUnderWay(parts);
  let from = new Vector3();
  const plane = new Plane(new Vector3(0, 0, 1));
  function follow(event: PointerEvent): void {
    if (part.name() === null) return;
    const at = stage.ray(event).ray.intersectPlane(plane, new Vector3());
    if (!at) return;
    const snap = event.shiftKey ? COARSE_SNAP_M : SNAP_M;
    const rounded = (metres: number) => Math.round(metres / snap) * snap;
    part.by.set(rounded(at.x - from.x), rounded(at.y - from.y), 0);
    part.draw();
  }
  // Before the camera's own listener on the canvas.
  stage.element.addEventListener(
    'pointerdown',
    (event) => {
      if (!isShown() || event.button !== 0 || event.target !== canvas) return;
      const [pick, now] = [pickNear(parts, event), cell()];
      if (!pick || !now) return;
      event.stopPropagation();
      canvas.setPointerCapture(event.pointerId);
      from = pick.at;
      plane.constant = -from.z;
      part.start({ ...pick, end: beamEnd(now, pick.name, from) });
      onSelect(pick.name);
    },
    { capture: true },
  );
  canvas.addEventListener('pointermove', follow);
  canvas.addEventListener('pointerup', () => part.finish(part.by.length() > MOVED_M));
  canvas.addEventListener('pointercancel', () => part.finish(false));
}

/** Moves parts by arrow keys on their rows: 1 mm along x and y, 10 mm with Shift. */
export function moveByKeys(parts: DragParts) {
  const part = partUnderWay(parts);
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (name: string, { key, shiftKey }: KeyboardEvent): boolean => {
    const way = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[
      key
    ];
    const now = parts.cell();
    const moving = now && partOf(now, name);
    const isObject = now?.objects?.some((object) => object.name === name) ?? false;
    const hasPlace = moving && Object.keys(movedPart(moving, part.by)).length > 0;
    if (!way || !(isObject || hasPlace)) return false;
    if (part.name() !== name) {
      part.finish(true);
      const isFixture = now!.fixtures?.includes(moving as never);
      const kind = isObject ? 'object' : isFixture ? 'fixture' : 'device';
      part.start({ kind, name, end: null });
    }
    const step = shiftKey ? COARSE_SNAP_M : SNAP_M;
    part.by.add(new Vector3(way[0], way[1], 0).multiplyScalar(step));
    part.draw();
    clearTimeout(timer);
    timer = setTimeout(() => part.finish(part.by.length() > 0), KEYS_END_MS);
    return true;
  };
}
