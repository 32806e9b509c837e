/**
 * The first script carries the part of Inter with the characters that the page writes itself. One
 * that is missing there costs each first visit the whole font.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import first from './first.json' with { type: 'json' };

const TEXTS = ['viewer', 'contract', 'physics', 'server', 'scheduler', 'fixtures'];
const COMMENTS = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;
const NOT_ASCII = /\P{ASCII}/gu;
const read = (name: string) => readFileSync(new URL(name, import.meta.url));
const WHOLE = '../../../node_modules/@fontsource-variable/inter/index.css';
const rangesIn = (css: string) => /unicode-range:([^;]+);/.exec(css)![1]!;

function codesOf(ranges: string): number[] {
  return ranges.split(',').flatMap((range) => {
    const [from, to = from] = range.trim().replace('U+', '').split('-');
    const start = Number.parseInt(from!, 16);
    return Array.from({ length: Number.parseInt(to!, 16) - start + 1 }, (_, at) => start + at);
  });
}

/** The characters in what the page can show without a user: its texts and those of the twin. */
function ownCharacters(): Set<string> {
  const files = TEXTS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(tsx?|html|json)$/.test(name) && !/\.(test|cases)\./.test(name))
      .map((name) => readFileSync(`${folder}/${name}`, 'utf8')),
  );
  return new Set(files.flatMap((text) => text.replace(COMMENTS, '').match(NOT_ASCII) ?? []));
}

const firstCodes = codesOf(first.unicodeRange);
const restCodes = codesOf(rangesIn(read('rest.css').toString()));

it('has every character that the page writes itself', () => {
  const rest = new Set(restCodes);
  expect([...ownCharacters()].filter((letter) => rest.has(letter.codePointAt(0)!))).toEqual([]);
});

it('leaves each other letter of the whole font to the file that is loaded with it', () => {
  const whole = read(WHOLE).toString();
  const latin = whole.slice(whole.indexOf('inter-latin-wght'));
  const shown = codesOf(rangesIn(latin)).filter((code) => code >= 0x20 && code !== 0x7f);
  const parted = [...firstCodes, ...restCodes];
  expect(new Set(parted).size).toBe(parted.length);
  expect(shown.filter((code) => !parted.includes(code) && code < 0xfe00 && code > 0xa0)).toEqual(
    [],
  );
});

it('is cut from the whole font with these characters', () => {
  const font = read('first.woff2');
  const digest = createHash('sha256').update(first.unicodeRange).update(font).digest('hex');
  expect(digest).toBe(first.digest);
});
