/**
 * A button that goes on acting while it is held: one act on a press, the next ones after a moment,
 * each when the last is done. Releasing it, leaving it or losing the page ends it at once.
 */
import { type Attributes, type Child, element } from '../panels/element.ts';

/** After the first act, and between the others. */
const FIRST_MS = 350;
const NEXT_MS = 40;

/** The button; `act` says whether there is any point in going on. */
export function heldButton(
  attributes: Attributes,
  act: () => boolean | Promise<boolean>,
  ...children: readonly Child[]
): HTMLButtonElement {
  const made = element('button', { type: 'button', ...attributes }, ...children);
  let holds = 0;
  async function hold(): Promise<void> {
    const own = ++holds;
    let rest_ms = FIRST_MS;
    // A button that was disabled may never hear of its release: it must not go on.
    while (own === holds && !made.matches(':disabled') && (await act())) {
      await new Promise((resolve) => setTimeout(resolve, rest_ms));
      rest_ms = NEXT_MS;
    }
  }
  const release = (): void => void holds++;
  made.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    made.setPointerCapture(event.pointerId);
    void hold();
  });
  for (const end of ['pointerup', 'pointercancel', 'lostpointercapture', 'blur'] as const) {
    made.addEventListener(end, release);
  }
  document.addEventListener('visibilitychange', release);
  addEventListener('pointerup', release, { capture: true });
  // A click without a pointer is a key press; a held key presses again and again by itself.
  made.addEventListener('click', (event) => {
    if (event.detail === 0) void act();
  });
  return made;
}
