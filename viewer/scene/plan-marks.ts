/**
 * Points of a toolpath with their names, as page elements over the canvas: waypoints, cells, zones,
 * errors. Dots always show; of names at most 40, those that matter most, none over another.
 */
import { type PerspectiveCamera, Vector3 } from 'three';

const LABELS_MAX = 40;
const CHARACTER_PX = 6.3;
const PADDING_PX = 14;
const HEIGHT_PX = 18;
const BESIDE_PX = 10;

export type MarkKind = 'error' | 'warning' | 'waypoint' | 'home' | 'pass' | 'cell' | 'zone';

export interface Mark {
  readonly kind: MarkKind;
  readonly words: string;
  readonly at_m: readonly [number, number, number];
  /** What pressing it selects: a JSON pointer; null for what cannot be selected. */
  readonly target: string | null;
  readonly selected: boolean;
}

export interface PlanMarks {
  readonly element: HTMLElement;
  set(marks: readonly Mark[]): void;
  place(camera: PerspectiveCamera, width: number, height: number): void;
}

/** Smaller comes first when two names want one place. */
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

interface Drawn {
  readonly mark: Mark;
  readonly element: HTMLElement;
  readonly name: HTMLElement;
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

function overlaps(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

function rank({ kind, selected }: Mark): number {
  return selected ? Math.min(SELECTED_RANK, RANK[kind]) : RANK[kind];
}

/** Where a name stands: beside its dot, or on its point where there is none. */
function boxOf({ kind, words }: Mark, x: number, y: number): Box {
  const width = words.length * CHARACTER_PX + PADDING_PX;
  const middle = kind === 'cell' || kind === 'zone';
  const left = middle ? x - width / 2 : x + BESIDE_PX;
  const top = kind === 'error' || kind === 'warning' ? y - 24 : y - HEIGHT_PX / 2;
  return { left, right: left + width, top, bottom: top + HEIGHT_PX };
}

function draw(mark: Mark, select: (target: string) => void): Drawn {
  const element = document.createElement(mark.target === null ? 'span' : 'button');
  element.className = `mark mark-${mark.kind}`;
  if (mark.selected) element.dataset['selected'] = '';
  if (element instanceof HTMLButtonElement) {
    element.type = 'button';
    element.tabIndex = -1;
    // Its name is not drawn where it would cover another.
    element.setAttribute('aria-label', mark.words);
    element.addEventListener('click', () => select(mark.target!));
  }
  const name = document.createElement('span');
  name.className = 'mark-name';
  name.textContent = mark.words;
  element.append(name);
  return { mark, element, name };
}

const point = new Vector3();

/** No marks yet; put `element` over the canvas. `select` is told of presses. */
export function createPlanMarks(select: (target: string) => void): PlanMarks {
  const element = document.createElement('div');
  element.className = 'plan-marks';
  let drawn: Drawn[] = [];
  return {
    element,
    set(marks) {
      const ordered = [...marks].sort((a, b) => rank(a) - rank(b));
      drawn = ordered.map((mark) => draw(mark, select));
      element.replaceChildren(...[...drawn].reverse().map((one) => one.element));
    },
    place(camera, width, height) {
      const taken: Box[] = [];
      for (const { mark, element: dot, name } of drawn) {
        point.set(...mark.at_m).project(camera);
        dot.hidden = point.z > 1 || Math.abs(point.x) > 1 || Math.abs(point.y) > 1;
        if (dot.hidden) continue;
        const x = ((point.x + 1) / 2) * width;
        const y = ((1 - point.y) / 2) * height;
        dot.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
        const box = boxOf(mark, x, y);
        name.hidden = taken.length >= LABELS_MAX || taken.some((other) => overlaps(box, other));
        if (!name.hidden) taken.push(box);
      }
    },
  };
}
