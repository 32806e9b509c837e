import { readFileSync } from 'node:fs';

/** The text of an input, without the byte order mark that some editors put before it. */
export function readInputFile(path: string): string {
  return readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
}
