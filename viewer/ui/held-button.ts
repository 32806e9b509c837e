import { type Attributes, type Child, element } from './element.ts';

/** Delay after the first call, and between further calls (ms). */
const FIRST_MS = 350;
const NEXT_MS = 40;

/**
 * A button that calls `act` on a press and again while held, each time after the last call has
 * finished. Releasing it, leaving it or hiding the page stops it, and so does `act` by returning
 * false.
 */
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
    // A disabled button may never receive its release event.
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
  // A click without a pointer is a key press; a held key repeats by itself.
  made.addEventListener('click', (event) => {
    if (event.detail === 0) void act();
  });
  return made;
}
