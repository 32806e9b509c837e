/**
 * Text labels in the scene: page elements that follow a 3D point, placed after each drawn frame.
 */
import { type PerspectiveCamera, Vector3 } from 'three';
import { boxAt, freeHeight, overlaps, setSeen, watchPanels } from './label-box.ts';

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
/** How far the style sheet puts the words of a mark from its ring (px). */
const MARK_PX = 32;

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
        setSeen(chip, false);
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
        setSeen(chip, y !== null);
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
