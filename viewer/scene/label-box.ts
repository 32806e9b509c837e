/**
 * Boxes of labels on the screen, and the free height for one that would cover another or a panel.
 */

/** Half the height of a label, and how far it moves at most to stay visible (px). */
const HALF_PX = 10;
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

export function boxAt(x: number, y: number, half: number): Box {
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

/**
 * Shows what stands in the scene, or hides it, by its own style: with an attribute, the browser would
 * look anew with every frame for what the sheets let follow from one, which is most of the page.
 */
export function setSeen(element: HTMLElement, isSeen: boolean): void {
  const display = isSeen ? '' : 'none';
  if (element.style.display !== display) element.style.display = display;
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
