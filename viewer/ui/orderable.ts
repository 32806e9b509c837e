/** Height of the head of an item (px); its middle counts, also while the item is unfolded. */
const ROW_PX = 36;

/**
 * Lets the items of a list be ordered by dragging their grips (`data-grip`), or with the arrow keys
 * on a grip. Escape cancels a drag.
 */
export function makeOrderable(list: HTMLElement, move: (from: number, to: number) => void): void {
  const items = () => [...list.children] as HTMLElement[];
  const gripOf = ({ target }: Event) =>
    target instanceof Element ? target.closest<HTMLElement>('[data-grip]') : null;
  const indexOf = (grip: HTMLElement) => items().findIndex((item) => item.contains(grip));
  let drag: { readonly from: number; to: number } | null = null;
  function show(): void {
    for (const [i, item] of items().entries()) {
      const isTarget = drag !== null && drag.to !== drag.from && i === drag.to;
      item.toggleAttribute('data-dragged', drag?.from === i);
      if (isTarget) item.dataset['drop'] = drag!.to < drag!.from ? 'before' : 'after';
      else delete item.dataset['drop'];
    }
  }
  function end(isDone: boolean): void {
    const done = drag;
    drag = null;
    show();
    if (isDone && done && done.from !== done.to) move(done.from, done.to);
  }
  list.addEventListener('pointerdown', (event) => {
    const grip = gripOf(event);
    if (!grip || event.button !== 0) return;
    const from = indexOf(grip);
    grip.setPointerCapture(event.pointerId);
    drag = { from, to: from };
    show();
  });
  list.addEventListener('pointermove', ({ clientY }) => {
    if (!drag) return;
    const { from } = drag;
    const isAbove = (item: HTMLElement, i: number) => {
      const { top, height } = item.getBoundingClientRect();
      return i !== from && top + Math.min(height, ROW_PX) / 2 < clientY;
    };
    drag.to = items().filter(isAbove).length;
    items()[drag.to]?.scrollIntoView({ block: 'nearest' });
    show();
  });
  list.addEventListener('pointerup', () => end(true));
  list.addEventListener('pointercancel', () => end(false));
  list.addEventListener('keydown', (event) => {
    const grip = gripOf(event);
    if (event.key === 'Escape' && drag) end(false);
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!grip || by === undefined) return;
    event.preventDefault();
    const from = indexOf(grip);
    const to = from + by;
    if (to >= 0 && to < items().length) move(from, to);
  });
}
