/** Writes pages of one HTML file each, which open from disk without a server or a network. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type ExportDocument, embedDocument } from '../../contract/export-document.ts';
import { productVersion } from '../identity.ts';

/** The page lies in the build: beside this file when built, else in the folder builds go to. */
const PLACES = ['../../viewer/export.html', '../../dist/viewer/export.html'];

function emptyPage(): string {
  for (const place of PLACES) {
    try {
      return readFileSync(new URL(place, import.meta.url), 'utf8');
    } catch {
      // The other place is tried, and the sentence below names what to do.
    }
  }
  throw new Error('the page to export into is not built: run `npm run build`');
}

/** Who made a page, as it says itself. */
export function maker(): string {
  return `armtwin ${productVersion()}`;
}

/** Writes a page to a file; throws what keeps it from being written. */
export function writePage(document: ExportDocument, file: string): void {
  writeFileSync(file, embedDocument(emptyPage(), document));
}

/**
 * Writes a page a toolpath: to `target` itself for one file, into the folder `target` for more.
 * Files that are no JSON make a page too: it says what is wrong with them.
 */
export function writeToolpathPages(files: readonly string[], target: string): readonly string[] {
  const [only] = files;
  if (files.length > 1) mkdirSync(target, { recursive: true });
  return files.map((file) => {
    const name = basename(file).replace(/\.json$/i, '');
    const page = file === only && files.length === 1 ? target : join(target, `${name}.html`);
    const text = readFileSync(file, 'utf8');
    writePage({ kind: 'toolpath', name, made_by: maker(), text }, page);
    return page;
  });
}
