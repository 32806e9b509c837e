import { setAttribute, setText } from '../ui/element.ts';

/** Says on a button that a save is on its way; it keeps the focus. */
export function setSaving(save: HTMLElement, label: string, saving: boolean): void {
  setAttribute(save, 'aria-busy', saving ? 'true' : undefined);
  setText(save.lastElementChild as HTMLElement, saving ? 'Saving…' : label);
}
