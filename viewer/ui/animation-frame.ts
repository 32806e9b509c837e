/** When work runs between two frames of the page. */

/** Calls `work` in the frame after the next one, once that was laid out and observers know it. */
export function afterLayout(work: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(work));
}

/** Wraps an action so that any number of calls runs it once, before the next frame. */
export function oncePerFrame(action: () => void): () => void {
  let due = false;
  return () => {
    if (due) return;
    due = true;
    requestAnimationFrame(() => {
      due = false;
      action();
    });
  };
}
