/**
 * Files from and to the user: reads picked and dropped files, and offers downloads. Reading handles
 * folders, deleted files and files above the size limit of the API.
 */

import { limits } from '../../contract/limits.ts';

/** Offers content as a download; `type` is the media type of a text. */
export function saveFile(name: string, content: Blob | string, type = ''): void {
  const blob = typeof content === 'string' ? new Blob([content], { type }) : content;
  const href = URL.createObjectURL(blob);
  Object.assign(document.createElement('a'), { href, download: name }).click();
  URL.revokeObjectURL(href);
}

/** Receives the result of reading a file. */
export interface FileReceiver {
  /** `name` is the file name without `.json` or `.act`. */
  onText(name: string, text: string): void;
  /** `problem` is a message for the user. */
  onProblem(problem: string): void;
}

const BYTES_PER_MIB = 1024 * 1024;

/** Reads a file as text. */
export async function readFile(file: File, { onText, onProblem }: FileReceiver): Promise<void> {
  const max_mib = limits.body_seed_bytes / BYTES_PER_MIB;
  if (file.size > limits.body_seed_bytes) {
    onProblem(`The file is larger than ${max_mib} MiB. Choose a smaller file.`);
    return;
  }
  const text = await file.text().catch(() => null);
  if (text === null) onProblem('The file cannot be read. Choose it again.');
  else onText(file.name.replace(/\.(json|act)$/i, ''), text);
}

/** The files that a picker offers. */
export const JSON_FILES = '.json,.act,application/json';

/** Whether files can be dropped: with a finger alone there is nothing to drag them from. */
export function canDrop(): boolean {
  return matchMedia('(any-pointer: fine)').matches;
}
