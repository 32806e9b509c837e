/** Calls back for the keys of a page: for none while a dialog is open, which has its own. */
export function onPageKey(pressed: (event: KeyboardEvent) => void): void {
  addEventListener('keydown', (event) => {
    if (!document.querySelector('dialog[open]')) pressed(event);
  });
}

/** Whether a key is typed into a field, or has a modifier: then it is no key of a page. */
export function isTyped({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  const isField = target instanceof Element && target.matches('input, select, textarea');
  return isField || ctrlKey || metaKey || altKey;
}
