/** Writes offline HTML pages of one file each: no server or network is needed. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type ExportDocument, embedDocument } from '../../../contract/export-document.ts';
import type { ArmProfile } from '../../../contract/types.ts';
import { productVersion } from '../../app/product-info.ts';

/** The built page, relative to this file in the build and in the sources. */
const TEMPLATES = ['../../../viewer/export.html', '../../../dist/viewer/export.html'];

function pageTemplate(): string {
  for (const path of TEMPLATES) {
    try {
      return readFileSync(new URL(path, import.meta.url), 'utf8');
    } catch {
      // The next path is tried; the error below says what to do.
    }
  }
  throw new Error('the page template is not built: run `npm run build`');
}

/** Product and version, as shown on a page. */
export function generatorName(): string {
  return `armtwin ${productVersion()}`;
}

/** Writes a page to a file. */
export function writePage(document: ExportDocument, file: string): void {
  writeFileSync(file, embedDocument(pageTemplate(), document));
}

/**
 * Writes a page per toolpath: to `target` for one file, into the folder `target` for several.
 * Invalid files get a page too, which shows the errors.
 */
export function writeToolpathPages(
  files: readonly string[],
  target: string,
  profile?: ArmProfile,
): readonly string[] {
  const [only] = files;
  if (files.length > 1) mkdirSync(target, { recursive: true });
  return files.map((file) => {
    const name = basename(file).replace(/\.json$/i, '');
    const page = file === only && files.length === 1 ? target : join(target, `${name}.html`);
    const text = readFileSync(file, 'utf8');
    const about = { kind: 'toolpath', name, made_by: generatorName(), text } as const;
    writePage(profile ? { ...about, profile } : about, page);
    return page;
  });
}
