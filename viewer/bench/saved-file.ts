/** Gives text to the user as a file, and takes one. */
import { element } from '../panels/element.ts';

/** Downloads text under a name. */
export function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  element('a', { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}

/** Lets the user choose a file and hands on its text. */
export function chooseFile(accept: string, take: (text: string) => void): void {
  const input = element('input', { type: 'file', accept });
  input.addEventListener('change', async () => {
    const file = input.files?.[0];
    if (file) take(await file.text());
  });
  input.click();
}
