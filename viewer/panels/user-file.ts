/**
 * Files that the user hands in, by picker or by drop. Apart because a file can fail in ways that no
 * panel expects: it is a folder, it is gone by now, it is longer than any text that the arm takes.
 */
import { limits } from '../../contract/limits.ts';
import { element } from './element.ts';

export interface FileTaker {
  /** Takes the text of a file, and its name without `.json`. */
  take(name: string, text: string): void;
  /** Hears in a sentence why a file gives no text. */
  refuse(sentence: string): void;
}

const BYTES_PER_MIB = 1024 * 1024;

/** Reads a file and hands it on. */
export async function readFile(file: File, { take, refuse }: FileTaker): Promise<void> {
  const most_mib = limits.body_seed_bytes / BYTES_PER_MIB;
  if (file.size > limits.body_seed_bytes) {
    refuse(`The file is longer than ${most_mib} MiB. Choose a shorter one.`);
    return;
  }
  const text = await file.text().catch(() => null);
  if (text === null) refuse('The file cannot be read. Choose it again.');
  else take(file.name.replace(/\.json$/i, ''), text);
}

/** An input that lets the user choose a JSON file when it is clicked. */
export function filePicker(taker: FileTaker): HTMLInputElement {
  const input = element('input', { type: 'file', accept: '.json,application/json', hidden: true });
  input.addEventListener('change', async () => {
    const file = input.files?.[0];
    if (file) await readFile(file, taker);
    input.value = '';
  });
  return input;
}
