/**
 * A line of the log as a person reads it on a terminal: time of day, level, text, then what else the
 * line has, as `name=value`. Programs that collect logs read JSON instead, which has the same fields.
 */

/** Fields that the line shows in another way, or that are the same in every line. */
const SHOWN = new Set(['level', 'time', 'instance', 'version', 'msg', 'err']);
/** ISO 8601 has the time of day from here to its seconds. */
const TIME_OF_DAY = [11, 19] as const;
const COLOURS: Readonly<Record<string, string>> = { warn: '\x1b[33m', error: '\x1b[31m' };
const DIM = '\x1b[2m';
const PLAIN = '\x1b[0m';

/** The stack of an error; its first line repeats name and message. */
function causeText(err: unknown): string {
  if (err === null || typeof err !== 'object') return '';
  const { stack, message } = err as { readonly stack?: unknown; readonly message?: unknown };
  return `\n${String(stack ?? message ?? '')}`;
}

/** The line of a terminal for a line of JSON; what is none stays as it is. */
export function terminalLine(json: string, isColoured: boolean): string {
  let line: Readonly<Record<string, unknown>>;
  try {
    line = JSON.parse(json) as typeof line;
  } catch {
    return json;
  }
  const { level, time, msg, err } = line;
  const paint = (text: string, colour: string) =>
    isColoured && colour !== '' ? `${colour}${text}${PLAIN}` : text;
  const fields = Object.entries(line)
    .filter(([name]) => !SHOWN.has(name))
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const head = paint(String(time).slice(...TIME_OF_DAY), DIM);
  const text = paint(`${String(level).padEnd(5)} ${String(msg)}`, COLOURS[String(level)] ?? '');
  const more = fields.length === 0 ? '' : `  ${paint(fields.join(' '), DIM)}`;
  return `${head} ${text}${more}${causeText(err)}\n`;
}
