/** Calls back for the keys of a page: for none while a dialog is open, which has its own. */
export function onPageKey(pressed: (event: KeyboardEvent) => void): void {
  addEventListener('keydown', (event) => {
    if (!document.querySelector('dialog[open]')) pressed(event);
  });
}
