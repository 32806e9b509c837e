/**
 * Text labels in the scene: page elements that follow a 3D point, placed after each drawn frame.
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

const point = new Vector3();

/** Creates an empty label layer; put `element` over the canvas. */
export function createLabels(): Labels {
  const element = document.createElement('div');
  element.className = 'labels';
  element.setAttribute('aria-hidden', 'true');
  let shown: { label: Label; chip: HTMLElement }[] = [];
  return {
    element,
    set(labels) {
      shown = labels.slice(0, LABELS_MAX).map((label) => {
        const chip = document.createElement('span');
        chip.className = `label label-${label.kind}`;
        chip.textContent = label.text;
        chip.hidden = true;
        return { label, chip };
      });
      element.replaceChildren(...shown.map(({ chip }) => chip));
    },
    place(camera, width, height) {
      for (const { label, chip } of shown) {
        point.copy(label.at).project(camera);
        const x = ((point.x + 1) / 2) * width;
        const y = ((1 - point.y) / 2) * height;
        const half = label.text.length * HALF_LETTER_PX + PADDING_PX;
        const whole = x > half && x < width - half && Math.abs(point.x) < 0.85;
        chip.hidden = point.z >= 1 || !whole || Math.abs(point.y) >= 1;
        const at = `${x.toFixed(1)}px, ${y.toFixed(1)}px`;
        chip.style.transform = `translate(-50%, -50%) translate(${at})`;
      }
    },
  };
}
