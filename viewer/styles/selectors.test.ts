/**
 * The style sheets of a page stay when another page is shown: a selector that two pages define, or
 * that fits what is on another page, makes the look of each depend on which of them was visited.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const SHEETS = 'viewer/styles/';
/** The sheets that every page has from the beginning. */
const EVERYWHERE = ['base', 'shell', 'stage', 'inspector', 'narrow'];

/** The sheet of the fields with labels, and who uses those. */
const KIT = 'forms';
const USES_KIT = /\b(?:Text|Password|Number|Choice|Flag)Field\b[^;]*ui\/fields\.tsx|ui\/form\.tsx/;

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

/** The classes that the components of each page, and those that all may use, give to elements. */
function classesByFolder(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const path of readdirSync('viewer', { recursive: true, encoding: 'utf8' })) {
    const folder = /^(?:pages\/\w+|\w+)(?=\/)/.exec(path)?.[0];
    if (!folder || !/(?<!\.test)\.tsx?$/.test(path)) continue;
    const known = found.get(folder) ?? new Set();
    found.set(folder, known);
    const text = readFileSync(`viewer/${path}`, 'utf8');
    for (const [given] of text.matchAll(/class(?:Name)?\s*[=:]\s*(?:\{.*\}|'.*?'|".*?"|`.*?`)/g)) {
      for (const [name] of given.matchAll(/[\w-]+/g)) known.add(name);
    }
  }
  return found;
}

/** The classes of a selector, each with those that may stand in its place; none of `:not`. */
function classesOf(selector: string): string[][] {
  const names = (part: string) => [...part.matchAll(/\.([\w-]+)/g)].map(([, name]) => name!);
  const plain = selector.replace(/:not\([^)]*\)/g, '');
  const choices = [...plain.matchAll(/:is\(([^)]*)\)/g)].map(([, list]) => names(list!));
  return [...choices, ...names(plain.replace(/:is\([^)]*\)/g, '')).map((name) => [name])];
}

it('a page that has fields with labels loads their sheet', () => {
  const own = owners().get(KIT)!;
  const users = readdirSync('viewer/pages', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.tsx') && !/\.(?:test|cases)\./.test(path))
    .filter((path) => USES_KIT.test(readFileSync(`viewer/pages/${path}`, 'utf8')))
    .map((path) => `pages/${path.split('/')[0]}`);
  expect(users.length).toBeGreaterThan(10);
  expect([...new Set(users)].filter((page) => !own.has(page))).toEqual([]);
});

it('no sheet of a page fits what is on another page', () => {
  const classes = classesByFolder();
  const pages = [...classes.keys()].filter((folder) => folder.startsWith('pages/'));
  expect(pages.length).toBeGreaterThan(5);
  const isGiven = (page: string, name: string) =>
    classes.get(page)!.has(name) || classes.get('ui')!.has(name);
  const found: string[] = [];
  for (const [sheet, own] of owners()) {
    if ([...EVERYWHERE, KIT].includes(sheet) || own.has('shell')) continue;
    for (const selector of selectorsOf(readFileSync(`${SHEETS}${sheet}.css`, 'utf8'))) {
      // What names the page in which it holds, or an attribute, is chosen with care.
      if (selector.includes('[data-')) continue;
      const needed = classesOf(selector);
      const isOn = (page: string) => needed.every((any) => any.some((name) => isGiven(page, name)));
      const others = [...pages, 'shell'].filter((page) => !own.has(page) && isOn(page));
      if (others.length > 0) found.push(`${sheet}.css: ${selector} fits ${others.join(', ')}`);
    }
  }
  expect(found).toEqual([]);
});

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
