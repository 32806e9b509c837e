/**
 * Text labels in the scene: page elements that follow a 3D point, placed after each drawn frame.
 * Also: labels of a plot that are moved apart.
 */
import { type PerspectiveCamera, Vector3 } from 'three';

/** Maximum number of labels. */
const LABELS_MAX = 40;
/** Approximate half width of a letter, and the padding beside a text (px). */
const HALF_LETTER_PX = 3.1;
const PADDING_PX = 8;

export interface Label {
  readonly text: string;
  readonly at: Vector3;
  readonly kind: 'zone' | 'note' | 'fault';
}

export interface Labels {
  readonly element: HTMLElement;
  set(labels: readonly Label[]): void;
  place(camera: PerspectiveCamera, width: number, height: number): void;
}

/** Half the height of a label, and how far it moves at most to stay visible (px). */
const HALF_PX = 10;
/** How far the style sheet puts the words of a mark from its ring (px). */
const MARK_PX = 32;
const MOVE_MAX_PX = 60;

export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Whether two boxes (px) have a point in common. */
export function overlaps(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

function boxAt(x: number, y: number, half: number): Box {
  return { left: x - half, right: x + half, top: y - HALF_PX, bottom: y + HALF_PX };
}

/**
 * Height at which a label is free of the edges, of the panels over the scene and of other labels,
 * the nearest to its place; null if there is none near.
 */
export function freeHeight(
  at: { readonly x: number; readonly y: number; readonly half: number },
  height: number,
  taken: readonly Box[],
): number | null {
  const { x, y, half } = at;
  const beside = taken.flatMap(({ top, bottom }) => [top - HALF_PX, bottom + HALF_PX]);
  const [found] = [y, HALF_PX, height - HALF_PX, ...beside]
    .filter((to) => to >= HALF_PX && to <= height - HALF_PX && Math.abs(to - y) <= MOVE_MAX_PX)
    .filter((to) => !taken.some((box) => overlaps(boxAt(x, to, half), box)))
    .sort((a, b) => Math.abs(a - y) - Math.abs(b - y));
  return found ?? null;
}

/** Follows the boxes of the panels over the scene, without a layout when a frame is drawn. */
export function watchPanels(layer: HTMLElement): () => readonly Box[] {
  let boxes: readonly Box[] = [];
  let watched: readonly Element[] = [];
  const observer = new ResizeObserver(measure);
  function measure(): void {
    const scene = layer.closest('.scene');
    const origin = layer.getBoundingClientRect();
    const panels = [...(scene?.querySelectorAll('.glass') ?? [])];
    boxes = panels.map((panel) => {
      const { left, right, top, bottom } = panel.getBoundingClientRect();
      const [dx, dy] = [origin.left, origin.top];
      return { left: left - dx, right: right - dx, top: top - dy, bottom: bottom - dy };
    });
    for (const panel of panels) if (!watched.includes(panel)) observer.observe(panel);
    watched = panels;
  }
  observer.observe(layer);
  return () => boxes;
}

const point = new Vector3();

/** Creates an empty label layer; put `element` over the canvas. */
export function createLabels(): Labels {
  const element = document.createElement('div');
  element.className = 'labels';
  element.setAttribute('aria-hidden', 'true');
  const panels = watchPanels(element);
  let shown: { label: Label; chip: HTMLElement; place: string }[] = [];
  return {
    element,
    set(labels) {
      shown = labels.slice(0, LABELS_MAX).map((label) => {
        const chip = document.createElement('span');
        chip.className = `label label-${label.kind}`;
        chip.textContent = label.text;
        chip.hidden = true;
        return { label, chip, place: '' };
      });
      element.replaceChildren(...shown.map(({ chip }) => chip));
    },
    place(camera, width, height) {
      const covers = panels().filter(({ left, right }) => left < right);
      const taken = [...covers];
      for (const one of shown) {
        const { label, chip } = one;
        point.copy(label.at).project(camera);
        const x = ((point.x + 1) / 2) * width;
        const half = label.text.length * HALF_LETTER_PX + PADDING_PX;
        const whole = x > half && x < width - half && Math.abs(point.x) < 0.85;
        const seen = point.z < 1 && whole && Math.abs(point.y) < 1;
        const y = seen
          ? freeHeight({ x, y: ((1 - point.y) / 2) * height, half }, height, taken)
          : null;
        chip.hidden = y === null;
        if (y === null) continue;
        taken.push(boxAt(x, y, half));
        // A mark with a ring has its words above the ring, or below it where those would be hidden.
        const words = boxAt(x, y - MARK_PX, half);
        const isHidden = words.top < 0 || covers.some((box) => overlaps(words, box));
        chip.toggleAttribute('data-below', isHidden);
        const place = `${x.toFixed(1)}px, ${y.toFixed(1)}px`;
        if (place === one.place) continue;
        one.place = place;
        chip.style.transform = `translate(-50%, -50%) translate(${place})`;
      }
    },
  };
}

/** The range of label positions and their smallest distance. */
export interface LabelBounds {
  readonly gap: number;
  readonly low: number;
  readonly high: number;
}

/** Adjacent labels, centred as one block on the mean of their wanted positions. */
interface LabelBlock {
  sum: number;
  count: number;
  start: number;
}

/** Sets the start of a block, clamped to the bounds. */
function placeBlock(block: LabelBlock, { gap, low, high }: LabelBounds): void {
  const length = (block.count - 1) * gap;
  const wanted = block.sum / block.count - length / 2;
  block.start = Math.max(Math.min(wanted, high - length), low);
}

/**
 * Positions for labels wanted at `wanted`, moved apart so that they do not overlap. Keeps the order
 * of the values (ties in the order given). All labels must fit into the bounds. Pure.
 */
export function spreadLabels(wanted: readonly number[], bounds: LabelBounds): number[] {
  const { gap } = bounds;
  const order = wanted.map((_, i) => i).sort((a, b) => wanted[a]! - wanted[b]! || a - b);
  const blocks: LabelBlock[] = [];
  for (const i of order) {
    let block: LabelBlock = { sum: wanted[i]!, count: 1, start: 0 };
    placeBlock(block, bounds);
    let before = blocks.at(-1);
    while (before && before.start + before.count * gap > block.start) {
      blocks.pop();
      block = { sum: before.sum + block.sum, count: before.count + block.count, start: 0 };
      placeBlock(block, bounds);
      before = blocks.at(-1);
    }
    blocks.push(block);
  }
  const positions = blocks.flatMap(({ start, count }) =>
    Array.from({ length: count }, (_, k) => start + k * gap),
  );
  const placed = [...wanted];
  for (const [k, i] of order.entries()) placed[i] = positions[k]!;
  return placed;
}
