/** The limit of open files of the process, and how many connections it allows. */
import { limits } from '../../contract/limits.ts';

/** Open files beside connections: data folder, libraries, threads. */
const OWN_FILES = 128;

/** Connections that a process takes however few files it can open, and the files for them. */
const LEAST_CONNECTIONS = 16;
const LEAST_FILES = 64;

/**
 * How many connections the limit of open files allows, with a warning where that is not all of
 * them; null where it allows all. Throws an Error where a twin cannot run.
 * @param processLimits /proc/self/limits
 */
export function connectionsAllowed(
  processLimits: string,
): { readonly count: number; readonly warning: string } | null {
  const found = Number(/^Max open files +(\d+)/m.exec(processLimits)?.[1] ?? Number.NaN);
  if (!(found < limits.connections + OWN_FILES)) return null;
  const remedy = 'Raise the limit, for example with ulimit -n 4096.';
  if (found < LEAST_FILES) {
    throw new Error(`At most ${found} files can be open; a twin needs ${LEAST_FILES}. ${remedy}`);
  }
  const count = Math.max(LEAST_CONNECTIONS, found - OWN_FILES);
  const warning =
    `At most ${found} files can be open: ${count} connections are taken at a time instead of ` +
    `${limits.connections}. ${remedy}`;
  return { count, warning };
}
