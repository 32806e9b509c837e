/** Where the meshes of a robot description are: beside it, or in the packages around it. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ReadMesh } from './link-surface.ts';

/** The folders around a file, from its own up to the root. */
function foldersAround(file: string): string[] {
  const folders = [dirname(resolve(file))];
  while (dirname(folders.at(-1)!) !== folders.at(-1)) folders.push(dirname(folders.at(-1)!));
  return folders;
}

/** Places in which a mesh may be, the likeliest first; `given` stands for its package. */
function placesOf(description: string, mesh: string, given?: string): string[] {
  if (mesh.startsWith('file://')) return [fileURLToPath(mesh)];
  const [, name = '', path = ''] = /^(?:package|model):\/\/([^/]+)\/(.+)$/.exec(mesh) ?? [];
  if (name === '') return [resolve(dirname(description), mesh)];
  if (given !== undefined) return [join(given, path)];
  return foldersAround(description).flatMap((folder) => [
    ...(basename(folder) === name ? [join(folder, path)] : []),
    join(folder, name, path),
  ]);
}

/**
 * Reads the meshes of the description in a file; `given` is the folder of their package, where it is
 * not around the file.
 */
export function meshesOf(description: string, given?: string): ReadMesh {
  return (mesh) => {
    const file = placesOf(description, mesh, given).find(existsSync);
    return file === undefined ? null : readFileSync(file);
  };
}
