/** The toolpath files that a command line means: files as they stand, folders by what they hold. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/**
 * Files in the order given, each folder replaced by its `.json` files in the order of their names,
 * so that every machine that shares a folder numbers them alike. What does not exist stays, for
 * the report to say so.
 */
export function toolpathFiles(paths: readonly string[]): readonly string[] {
  return paths.flatMap((path) => {
    if (!isFolder(path)) return [path];
    const names = readdirSync(path).filter((name) => name.endsWith('.json'));
    return names.toSorted().map((name) => join(path, name));
  });
}
