import { button, setText } from './element.ts';

/** A button for an irreversible action: it runs on the second click; losing focus resets it. */
export function confirmButton(
  label: string,
  confirmLabel: string,
  action: () => void,
): HTMLButtonElement {
  const pressed = button({ class: 'plain small' }, press, label);
  let armed = false;
  function set(now: boolean): void {
    armed = now;
    setText(pressed, now ? confirmLabel : label);
    pressed.classList.toggle('danger', now);
  }
  function press(): void {
    if (armed) action();
    set(!armed);
  }
  pressed.addEventListener('blur', () => set(false));
  return pressed;
}
