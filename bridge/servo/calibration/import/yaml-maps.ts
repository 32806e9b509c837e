/** The part of YAML in which motor configurations are written. */
import type { Fields } from '../record.ts';

function scalar(text: string): unknown {
  const plain = text.trim().replace(/^(['"])(.*)\1$/, '$2');
  if (plain === 'true' || plain === 'false') return plain === 'true';
  return plain !== '' && Number.isFinite(Number(plain)) ? Number(plain) : plain;
}

function yamlValue(text: string): unknown {
  const list = /^\[(.*)\]$/.exec(text.trim());
  if (!list) return scalar(text);
  return list[1]!.trim() === '' ? [] : list[1]!.split(',').map(scalar);
}

/**
 * Reads the YAML of motor configurations: nested maps by indentation, with numbers, words and lists
 * in brackets. Throws the line that is anything else.
 */
export function parseMaps(text: string): Fields {
  const root: Record<string, unknown> = Object.create(null);
  const open: { indent: number; map: Record<string, unknown> }[] = [{ indent: -1, map: root }];
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    const bare = line.replace(/(^|\s)#.*$/, '').trimEnd();
    if (bare.trim() === '' || bare === '---') continue;
    const parts = /^( *)([\w.-]+):(?:\s+(.*))?$/.exec(bare);
    if (!parts) throw new Error(`Line ${at + 1} is not "name: value": ${bare.trim()}`);
    const [, spaces, name, value] = parts;
    while (open.at(-1)!.indent >= spaces!.length) open.pop();
    const inner: Record<string, unknown> = Object.create(null);
    open.at(-1)!.map[name!] = value === undefined ? inner : yamlValue(value);
    if (value === undefined) open.push({ indent: spaces!.length, map: inner });
  }
  return root;
}
