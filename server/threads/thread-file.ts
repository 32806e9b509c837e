/** The files that threads and processes of the server start from, as sources and as built. */
import { THREAD_NICENESS } from './thread-priority.ts';

/** Entry point of a thread, and its priority. */
export interface ThreadFile {
  readonly filename: string;
  readonly niceIncrement: number;
  readonly execArgv: string[];
}

/**
 * Makes piscina import the entry point. It calls `require` first, and Node ends the whole process
 * (`v8::Module::IsGraphAsync`) when a thread is stopped while `require` loads an ES module.
 */
const IMPORT_ONLY = '--no-experimental-require-module';

/**
 * The entry point `name` (without extension, relative to the module at `base`). TypeScript sources
 * need a loader, built files do not. Where all processors are busy, the control loop goes first.
 */
export function threadFile(base: string, name: string): ThreadFile {
  const source = base.endsWith('.ts');
  const filename = new URL(`${name}${source ? '.ts' : '.js'}`, base).href;
  const execArgv = source ? [IMPORT_ONLY, '--import', 'tsx'] : [IMPORT_ONLY];
  return { filename, niceIncrement: THREAD_NICENESS, execArgv };
}
