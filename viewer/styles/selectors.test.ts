/**
 * The style sheets of a page stay when another page is shown: a selector that two pages define makes
 * the look of each depend on which of them was visited.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const SHEETS = 'viewer/styles/';
/** The sheets that every page has from the beginning. */
const EVERYWHERE = ['base', 'shell', 'stage', 'inspector', 'narrow'];

/** The parts of a list of selectors; a comma within parentheses parts nothing. */
function parts(list: string): string[] {
  const found = [''];
  let depth = 0;
  for (const letter of list) {
    if (letter === '(') depth++;
    if (letter === ')') depth--;
    if (letter === ',' && depth === 0) found.push('');
    else found[found.length - 1] += letter;
  }
  return found.map((one) => one.trim().replace(/\s+/g, ' '));
}

/** The selectors of a sheet, each with the conditions around it. */
function selectorsOf(text: string): Set<string> {
  const found = new Set<string>();
  const around: string[] = [];
  let head = '';
  for (const letter of text.replace(/\/\*[\s\S]*?\*\//g, '')) {
    if (letter === '{') {
      const rule = head.trim();
      const where = around.join(' ');
      if (!rule.startsWith('@') && !where.startsWith('@keyframes')) {
        for (const one of parts(rule)) found.add(`${where} ${one}`.trim());
      }
      around.push(rule);
      head = '';
    } else if (letter === '}') {
      around.pop();
      head = '';
    } else head = letter === ';' ? '' : head + letter;
  }
  return found;
}

/** Who loads each sheet: the folder of a page or of the shell, or every page. */
function owners(): Map<string, Set<string>> {
  const found = new Map(EVERYWHERE.map((sheet) => [sheet, new Set(['every page'])]));
  for (const path of readdirSync('viewer', { recursive: true, encoding: 'utf8' })) {
    const owner =
      /^(?:pages\/\w+|shell)\/.*\.tsx?$/.exec(path) && /^(?:pages\/\w+|shell)/.exec(path)![0];
    if (!owner) continue;
    for (const [, sheet] of readFileSync(`viewer/${path}`, 'utf8').matchAll(
      /styles\/([\w-]+)\.css/g,
    )) {
      found.set(sheet!, (found.get(sheet!) ?? new Set()).add(owner));
    }
  }
  return found;
}

it('no two pages define the same selector', () => {
  const seen = new Map<string, string[]>();
  const sheets = owners();
  expect(sheets.size).toBeGreaterThan(15);
  for (const sheet of sheets.keys()) {
    for (const selector of selectorsOf(readFileSync(`${SHEETS}${sheet}.css`, 'utf8'))) {
      seen.set(selector, [...(seen.get(selector) ?? []), sheet]);
    }
  }
  const twice = [...seen].filter(([, [first, ...others]]) => {
    const own = sheets.get(first!)!;
    return others.some((other) => ![...sheets.get(other)!].some((page) => own.has(page)));
  });
  expect(twice.map(([selector, where]) => `${selector}: ${where.join(', ')}`)).toEqual([]);
});
