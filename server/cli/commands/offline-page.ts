/** Offline HTML pages of one file each, made from the template that the build leaves. */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type ExportDocument, embedDocument } from '../../../contract/export-document.ts';
import type { ArmProfile, Cell } from '../../../contract/types.generated.ts';
import { productVersion } from '../../app/product-info.ts';
import { readInputFile } from '../input-file.ts';
import { writeResult } from '../result-writer.ts';

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

/** Writes a page to a file. Throws as `writeResult`. */
export function writePage(document: ExportDocument, file: string): void {
  writeResult(file, embedDocument(pageTemplate(), document));
}

/**
 * Writes a page per toolpath: to `target` for one file, into the folder `target` for several, with
 * a number behind names that repeat.
 * Invalid files get a page too, which shows the errors. `arm`: that for which they are planned.
 */
export function writeToolpathPages(
  files: readonly string[],
  target: string,
  arm: { readonly profile?: ArmProfile; readonly cell?: Cell } = {},
): readonly string[] {
  const [only] = files;
  const seen = new Map<string, number>();
  return files.map((file) => {
    const name = basename(file).replace(/\.(json|act)$/i, '');
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    const own = count === 1 ? `${name}.html` : `${name}-${count}.html`;
    const page = file === only && files.length === 1 ? target : join(target, own);
    const text = readInputFile(file);
    writePage({ kind: 'toolpath', name, made_by: generatorName(), text, ...arm }, page);
    return page;
  });
}
