/**
 * Returns a function that runs an edit after the current event, or after the press that is under
 * way inside an element: elements that are replaced would lose its click.
 */
export function createPressQueue(inside: HTMLElement): (edit: () => void) => void {
  let waiting: (() => void)[] | null = null;
  const release = () =>
    setTimeout(() => {
      const edits = waiting ?? [];
      waiting = null;
      for (const edit of edits) edit();
    });
  inside.addEventListener('pointerdown', () => {
    waiting ??= [];
  });
  for (const end of ['pointerup', 'pointercancel']) addEventListener(end, release);
  return (edit) => {
    if (waiting) waiting.push(edit);
    else setTimeout(edit);
  };
}
