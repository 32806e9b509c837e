/**
 * No registry has armtwin: whoever registers the name could run code on the machines of those who follow a
 * line that asks for it. So no line does; what works is the clone (./armtwin), a tarball, a wheel, an image
 * by build, and `npx --no-install`, which asks nobody.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** A name alone, without a path, a version of an alias, or the ending of a file. */
const NAME = '(?:pytest[-_])?armtwin(?![\\w./@:-]*(?:\\.tgz|\\.whl|@npm:|/))\\b';
const FLAGS = '(?:-{1,2}[\\w-]+(?:=\\S+)? +)*';
const ASKS = [
  // npx NAME, npm exec NAME, npm x NAME, but not with --no, or with --package and a tarball.
  new RegExp(`\\b(?:npx|npm (?:exec|x)|pnpm dlx|yarn dlx|bunx) +(?!--no\\b)${FLAGS}${NAME}`),
  new RegExp(`\\b(?:npm|pnpm|yarn|bun) +(?:install|i|add) +${FLAGS}${NAME}`),
  new RegExp(`\\bpipx? +(?:install|run) +${FLAGS}${NAME}`),
  new RegExp(`\\buvx? +(?:${FLAGS}${NAME}|(?:pip|tool) +(?:install|run) +${FLAGS}${NAME})`),
];
/** The action's own line: it has refused what is no tarball before. */
const ALLOWED = ['npx --yes --package "$PACKAGE" armtwin'];

const asks = (/** @type {string} */ line) =>
  ASKS.some((pattern) => pattern.test(line)) && !ALLOWED.some((one) => line.includes(one));

it('no line lets a package client ask a registry for the name', () => {
  const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).trim().split('\n');
  const texts = files.filter(
    (path) => !/\.(png|jpg|webp|lock)$|^package-lock\.json$|registry-names\.test\.mjs$/.test(path),
  );
  const found = texts.flatMap((path) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .filter(asks)
      .map((line) => `${path}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});

it('finds the lines that would, and spares those that do not', () => {
  for (const line of [
    'npx armtwin run',
    'npx --yes armtwin',
    'npm exec armtwin -- --port 0',
    'npm install armtwin',
    'npm i -g armtwin',
    'pip install pytest-armtwin',
    'pip install --quiet pytest_armtwin',
    'uvx armtwin',
  ]) {
    expect([line, asks(line)]).toEqual([line, true]);
  }
  for (const line of [
    './armtwin run',
    'npx --no-install armtwin',
    'npm install ../armtwin/armtwin-0.1.0.tgz',
    'npm install armtwin@npm:@owner/armtwin@0.1.0',
    'pip install ./python',
    'pip install pytest_armtwin-0.1.0-py3-none-any.whl',
    'npm ci --prefix armtwin && pip install pytest ./armtwin/python',
    'docker run armtwin',
  ]) {
    expect([line, asks(line)]).toEqual([line, false]);
  }
});
