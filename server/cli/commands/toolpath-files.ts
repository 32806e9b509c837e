/** The toolpath files that a command is given, by name or by folder. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // A path that cannot be read is in the report.
    return false;
  }
}

/**
 * The files in the given order, each folder replaced by its `.json` and `.act` files sorted by name, so that
 * shards agree on their numbering. Missing files stay, for the report to name them.
 */
export function expandToolpathPaths(paths: readonly string[]): readonly string[] {
  return paths.flatMap((path) => {
    if (!isFolder(path)) return [path];
    const names = readdirSync(path).filter((name) => /\.(json|act)$/i.test(name));
    return names.toSorted().map((name) => join(path, name));
  });
}

/** What is said of paths without a toolpath: a check of nothing must not pass. */
export function noToolpathsText(paths: readonly string[]): string {
  return `no toolpath files (*.json, *.act) in: ${paths.join(', ')}\n`;
}
