/** The command by which this process was started, for messages that name one to try. */
import { basename, dirname, join, relative } from 'node:path';

/** The script of a clone, beside which `./armtwin` is. */
const OF_CLONE = join('tools', 'armtwin.mjs');
/** The server in a wheel, whose command is `armtwin`. */
const OF_WHEEL = join('armtwin', 'server', 'dist', 'server', 'main.js');

/** The script of a clone that started this process by npm; null for another start. */
function ownScript(env: NodeJS.ProcessEnv): string | null {
  const isOwn = (env['npm_package_name'] ?? 'armtwin') === 'armtwin';
  return isOwn ? (env['npm_lifecycle_event'] ?? null) : null;
}

/** Whether `npm start` of a clone started this process. */
export function isNpmStart(env = process.env): boolean {
  return ownScript(env) === 'start';
}

/** The command, to which flags can be appended. `program` is the script of this process. */
export function ownCommand(program = process.argv[1] ?? '', env = process.env): string {
  if (isNpmStart(env)) return 'npm start --';
  if (ownScript(env) === 'demo') return 'npm run demo --';
  if (program.endsWith(OF_CLONE)) {
    const path = relative(process.cwd(), join(dirname(program), '..', 'armtwin'));
    return path.startsWith('..') ? path : `./${path}`;
  }
  if (program.includes(join('node_modules', '.bin'))) return 'npx --no-install armtwin';
  if (basename(program) === 'armtwin' || program.endsWith(OF_WHEEL)) return 'armtwin';
  return `node ${relative(process.cwd(), program)}`;
}
