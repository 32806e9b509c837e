/**
 * Marks of the open toolpath (waypoints, cells, zones, findings) as page elements over the canvas.
 * Dots are always shown; at most 40 names are shown, the most important first, without overlap.
 */

import { type PerspectiveCamera, Vector3 } from 'three';
import { clamp } from '../../physics/math/vector.ts';
import { type Box, freeHeight, overlaps, setSeen, watchPanels } from '../scene/label-box.ts';
import type { Mark, MarkKind } from './mark.ts';

const LABELS_MAX = 40;
const CHARACTER_PX = 6.3;
const PADDING_PX = 14;
const HEIGHT_PX = 18;
const BESIDE_PX = 10;

export interface ToolpathMarks {
  readonly element: HTMLElement;
  set(marks: readonly Mark[]): void;
  place(camera: PerspectiveCamera, width: number, height: number): void;
}

/** Half the size of a dot. */
const DOT_PX = 6;
/** Dots nearer than this cover each other. */
const SPACING_PX = 6;
/** Priority of names; the smaller one wins where two overlap. */
const RANK: Record<MarkKind, number> = {
  error: 0,
  warning: 1,
  home: 3,
  waypoint: 3,
  pass: 4,
  zone: 5,
  cell: 6,
};
const SELECTED_RANK = 2;

/** A mark with its dot, which is made when it is first in sight, and its name. */
interface Drawn {
  readonly mark: Mark;
  element: HTMLElement | null;
  name: HTMLElement | null;
}

function rank({ kind, selected }: Mark): number {
  return selected ? Math.min(SELECTED_RANK, RANK[kind]) : RANK[kind];
}

interface Place {
  readonly x: number;
  readonly y: number;
}

function hasDot({ kind }: Mark): boolean {
  return kind !== 'cell' && kind !== 'zone';
}

function isPlain({ kind }: Mark): boolean {
  return kind === 'waypoint' || kind === 'pass';
}

function widthOf(text: string): number {
  return text.length * CHARACTER_PX + PADDING_PX;
}

/**
 * Boxes that a name may have: right or left of its dot, then of the handles that its dot lies
 * among; centred if there is no dot.
 */
function boxesOf(mark: Mark, { x, y }: Place, handles: Box | null): readonly Box[] {
  const { kind, text } = mark;
  const width = widthOf(text);
  const top = kind === 'error' || kind === 'warning' ? y - 24 : y - HEIGHT_PX / 2;
  const among = handles && overlaps({ left: x, right: x, top: y, bottom: y }, handles);
  const sides = [[x, x] as const, ...(among ? [[handles.left, handles.right] as const] : [])];
  const lefts = hasDot(mark)
    ? sides.flatMap(([from, to]) => [to + BESIDE_PX, from - BESIDE_PX - width])
    : [x - width / 2];
  return lefts.map((left) => ({ left, right: left + width, top, bottom: top + HEIGHT_PX }));
}

/** The drawn dots in rows as high as a name, so that few are compared with it. */
function createDotRows() {
  const rows = new Map<number, Place[]>();
  const rowOf = (y: number): number => Math.floor(y / HEIGHT_PX);
  return {
    add(place: Place): void {
      const row = rowOf(place.y);
      const known = rows.get(row);
      if (known) known.push(place);
      else rows.set(row, [place]);
    },
    /** Whether a dot other than `own` lies over a box. */
    cover(box: Box, own: Place): boolean {
      for (let row = rowOf(box.top) - 1; row <= rowOf(box.bottom) + 1; row++) {
        for (const dot of rows.get(row) ?? []) {
          const { x, y } = dot;
          const isOver = x + DOT_PX > box.left && x - DOT_PX < box.right;
          const isBeside = y + DOT_PX > box.top && y - DOT_PX < box.bottom;
          if (isOver && isBeside && dot !== own) return true;
        }
      }
      return false;
    },
  };
}

/** What names keep clear of (px). */
export interface Clearance {
  /** The panels over the scene. */
  readonly over: readonly Box[];
  /** Handles that are dragged in the scene. */
  readonly handles: Box | null;
  /** Of the scene. */
  readonly width: number;
}

/**
 * Box of the name of each mark, in order, or null where it has none: names cover nothing, and are
 * whole within the width of the scene (px).
 */
export function nameBoxes(
  marks: readonly { readonly mark: Mark; readonly place: Place }[],
  { over, handles, width }: Clearance,
): readonly (Box | null)[] {
  const covered = handles ? [...over, handles] : over;
  const dots = createDotRows();
  for (const { mark, place } of marks) if (hasDot(mark)) dots.add(place);
  const taken: Box[] = [];
  return marks.map(({ mark, place }) => {
    if (taken.length >= LABELS_MAX) return null;
    const free = boxesOf(mark, place, handles).filter((box) => {
      const isWhole = box.left >= 0 && box.right <= width;
      return isWhole && ![...covered, ...taken].some((other) => overlaps(box, other));
    });
    // Errors, home and what is selected are named all the same, over the dots in the way.
    const isFirst = rank(mark) <= SELECTED_RANK || mark.kind === 'home';
    const clear = free.find((box) => !dots.cover(box, place)) ?? (isFirst ? free[0] : undefined);
    if (clear) taken.push(clear);
    return clear ?? null;
  });
}

function createDot(mark: Mark, select: (target: string) => void): HTMLElement {
  const element = document.createElement(mark.target === null ? 'span' : 'button');
  element.className = `mark mark-${mark.kind}`;
  if (mark.selected) element.dataset['selected'] = '';
  if (element instanceof HTMLButtonElement) {
    element.type = 'button';
    element.tabIndex = -1;
    // The visible name is hidden where it would overlap another.
    element.setAttribute('aria-label', mark.text);
    element.addEventListener('click', () => select(mark.target!));
  }
  return element;
}

function createName(dot: HTMLElement, { text }: Mark): HTMLElement {
  const name = document.createElement('span');
  name.className = 'mark-name';
  name.textContent = text;
  dot.append(name);
  return name;
}

/** Shows the name of a mark beside its dot, or hides it. */
function showName(one: Drawn, dot: HTMLElement, box: Box | null, x: number): void {
  const { mark } = one;
  // A dense toolpath has hundreds of waypoints that are never named.
  if (!one.name && !box && isPlain(mark)) return;
  one.name ??= createName(dot, mark);
  setSeen(one.name, box !== null);
  if (!box || !hasDot(mark)) return;
  const isLeft = box.left < x;
  one.name.toggleAttribute('data-left', isLeft);
  const beside_px = isLeft ? x - box.right : box.left - x;
  one.name.style.setProperty('--beside', `${beside_px.toFixed(1)}px`);
}

const point = new Vector3();

/** What a mark is placed in: the camera, the size of the scene, and the panels over it (px). */
interface Scene {
  readonly camera: PerspectiveCamera;
  readonly width: number;
  readonly height: number;
  readonly over: readonly Box[];
}

/** Where a mark is in the scene (px); null where it is out of sight. */
function placeOf(mark: Mark, { camera, width, height, over }: Scene): Place | null {
  point.set(...mark.at_m).project(camera);
  if (point.z > 1 || Math.abs(point.x) > 1 || Math.abs(point.y) > 1) return null;
  const exact = { x: ((point.x + 1) / 2) * width, y: ((1 - point.y) / 2) * height };
  if (mark.kind !== 'zone') return exact;
  // The name of a zone moves away from the edges and from the panels over the scene.
  const half = widthOf(mark.text) / 2;
  const x = clamp(exact.x, half, width - half);
  return { x, y: freeHeight({ x, y: exact.y, half }, height, over) ?? exact.y };
}

/**
 * Creates the element without marks; put it over the canvas. A click calls `select`, and names keep
 * clear of `handles`.
 */
export function createToolpathMarks(
  select: (target: string) => void,
  handles: () => Box | null,
): ToolpathMarks {
  const element = document.createElement('div');
  element.className = 'plan-marks';
  const panels = watchPanels(element);
  let drawn: Drawn[] = [];
  return {
    element,
    set(marks) {
      const ordered = [...marks].sort((a, b) => rank(a) - rank(b));
      drawn = ordered.map((mark) => ({ mark, element: null, name: null }));
      element.replaceChildren();
    },
    place(camera, width, height) {
      const over = panels().filter(({ left, right }) => left < right);
      const dots = new Set<string>();
      const shown: { one: Drawn; mark: Mark; dot: HTMLElement; place: Place }[] = [];
      for (const one of drawn) {
        const { mark } = one;
        const at = placeOf(mark, { camera, width, height, over });
        // Of dots at one place the first in rank is drawn: a dense toolpath stays legible.
        const spot = at && `${Math.round(at.x / SPACING_PX)} ${Math.round(at.y / SPACING_PX)}`;
        const isCovered = spot && isPlain(mark) && !mark.selected && dots.has(spot);
        if (!at || !spot || isCovered) {
          if (one.element) setSeen(one.element, false);
          continue;
        }
        if (hasDot(mark)) dots.add(spot);
        one.element ??= createDot(mark, select);
        setSeen(one.element, true);
        one.element.style.transform = `translate(${at.x.toFixed(1)}px, ${at.y.toFixed(1)}px)`;
        shown.push({ one, mark, dot: one.element, place: at });
      }
      for (const [i, box] of nameBoxes(shown, { over, handles: handles(), width }).entries()) {
        const { one, dot, place } = shown[i]!;
        showName(one, dot, box, place.x);
      }
      // The first in rank is above the others.
      let above: HTMLElement | null = null;
      for (const { element: dot } of drawn) {
        if (!dot) continue;
        if (!dot.parentElement) element.insertBefore(dot, above);
        above = dot;
      }
    },
  };
}
