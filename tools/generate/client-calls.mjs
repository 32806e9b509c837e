/**
 * Generates the interface of the typed client's calls from the endpoint table, with what an editor
 * shows for each: summary, method and path, what the caller needs, and the refusals.
 */
import { tsImport } from 'tsx/esm/api';

export const CALLS_FILE = 'contract/client/calls.generated.ts';

/** @param {string} path */
const load = (path) => tsImport(`../../contract/${path}`, import.meta.url);

const COLUMNS = 98;

/** Breaks text into lines of a comment. @param {string} text @param {string} prefix */
function comment(text, prefix) {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = `${lines.at(-1)} ${word}`.trimStart();
    if (prefix.length + line.length > COLUMNS) lines.push(word);
    else lines[lines.length - 1] = line;
  }
  return lines.map((line) => `${prefix}${line}`);
}

/** @param {any} row @param {readonly string[]} states */
function needsOf(row, states) {
  const needs = [];
  if (row.auth === 'none') needs.push('Needs no session.');
  if (row.role === 'admin') needs.push('Needs an admin.');
  if (row.lock) needs.push('Needs the robot lock.');
  if (states.length > 0) needs.push(`Allowed in the state ${states.join(', ')}.`);
  return needs.join(' ');
}

/** The file of the interface. */
export async function clientCalls() {
  const { ROUTES } = await load('routes.ts');
  const { errorsOf } = await load('routes/row-errors.ts');
  const { ERROR_ROWS } = await load('errors.ts');
  const { isAllowed, ROBOT_STATES } = await load('robot-states.ts');
  const calls = ROUTES.filter(
    (/** @type {any} */ row) => row.carries !== 'stream' && row.media !== 'text/event-stream',
  );
  /** @type {string[]} */
  const always = calls
    .map(errorsOf)
    .reduce((/** @type {string[]} */ a, /** @type {string[]} */ b) => {
      return a.filter((name) => b.includes(name));
    });
  const methods = calls.map((/** @type {any} */ row) => {
    const states = row.command
      ? ROBOT_STATES.filter((/** @type {string} */ state) => isAllowed(row.command, state))
      : [];
    const own = errorsOf(row).filter((/** @type {string} */ name) => !always.includes(name));
    const names = own.map((/** @type {string} */ name) => `${name} (${ERROR_ROWS[name].status})`);
    const head = `\`${row.method} ${row.path}\`. ${needsOf(row, states)}`.trim();
    const lines = [
      ...comment(row.summary.replace(/\.?$/, '.'), '   * '),
      '   *',
      ...comment(head, '   * '),
      ...(names.length > 0 ? comment(`Refused with ${names.join(', ')}.`, '   * ') : []),
    ];
    return `  /**\n${lines.join('\n')}\n   */\n  readonly ${row.id}: ClientCall<'${row.id}'>;`;
  });
  return `// GENERATED from contract/routes by tools/generate.mjs; do not edit.
import type { ClientCall } from './calls.ts';

/**
 * One method for each endpoint. Each rejects with ArmError when the service refuses; any of them
 * with ${always.map((name) => `${name} (${ERROR_ROWS[name].status})`).join(', ')}.
 */
export interface Calls {
${methods.join('\n')}
}
`;
}
