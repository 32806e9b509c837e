/**
 * A vitest plugin: the threads and processes that a twin starts in a test run from dist/. From the
 * sources they first load a loader and the compiler of schemas, which costs four times as much.
 * `npm test`, which has just built dist/, asks for it by ARMTWIN_BUILT_THREADS. Test code.
 */

import { relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';

const THREAD = 'threadFile(import.meta.url,';

/** The plugin, or none without that variable. */
export function builtThreads(): Plugin[] {
  if (process.env['ARMTWIN_BUILT_THREADS'] !== '1') return [];
  const transform = (code: string, id: string) => {
    if (!id.endsWith('.ts') || !code.includes(THREAD)) return null;
    const place = resolve('dist', relative(process.cwd(), id).replace(/\.ts$/, '.js'));
    const base = JSON.stringify(pathToFileURL(place).href);
    return { code: code.replaceAll(THREAD, `threadFile(${base},`), map: null };
  };
  return [{ name: 'built-threads', enforce: 'pre', transform }];
}
