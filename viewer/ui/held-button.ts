import { type Attributes, type Child, element } from './element.ts';

/** Delay after the first call, and between further calls (ms). */
const FIRST_MS = 350;
const NEXT_MS = 40;

/** Keys that press a button. */
const PRESSING: readonly string[] = ['Enter', ' '];

/**
 * A button that calls `act` on a press and again while held, by pointer or key, each time after the
 * last call has finished. Releasing it, leaving it, or another window or tab in front stops it, and so
 * does `act` by returning false; the signal tells `act` of the release.
 */
export function heldButton(
  attributes: Attributes,
  act: (held: AbortSignal) => boolean | Promise<boolean>,
  ...children: readonly Child[]
): HTMLButtonElement {
  const made = element('button', { type: 'button', ...attributes }, ...children);
  let pressed: AbortController | null = null;
  const release = (): void => pressed?.abort();
  async function hold(): Promise<void> {
    release();
    const press = new AbortController();
    const { signal } = press;
    pressed = press;
    let rest_ms = FIRST_MS;
    // A disabled button may never receive its release event.
    while (!signal.aborted && !made.matches(':disabled') && (await act(signal))) {
      await new Promise((resolve) => setTimeout(resolve, rest_ms));
      rest_ms = NEXT_MS;
    }
  }
  made.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    made.setPointerCapture(event.pointerId);
    void hold();
  });
  for (const end of ['pointerup', 'pointercancel', 'lostpointercapture', 'blur'] as const) {
    made.addEventListener(end, release);
  }
  document.addEventListener('visibilitychange', release);
  addEventListener('blur', release);
  addEventListener('pointerup', release, { capture: true });
  made.addEventListener('keydown', (event) => {
    if (!PRESSING.includes(event.key)) return;
    // Its click would be another press.
    event.preventDefault();
    if (!event.repeat) void hold();
  });
  made.addEventListener('keyup', (event) => {
    if (!PRESSING.includes(event.key)) return;
    event.preventDefault();
    release();
  });
  // A click of neither is of a screen reader, which holds nothing.
  made.addEventListener('click', (event) => {
    if (event.detail === 0) void act(AbortSignal.abort());
  });
  return made;
}
