/** What an editor shows for each call of the typed client and each field of its types. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { unitOf } from '../../contract/api-docs/field-notes.ts';
import { CALLS_FILE } from './client-calls.mjs';
import { TYPES_FILE } from './schema.mjs';

/** Fields of a generated file with the comments before them. @param {string} path */
function fieldsOf(path) {
  const lines = readFileSync(path, 'utf8').split('\n');
  const fields = [];
  let owner = '';
  let comment = '';
  for (const line of lines) {
    owner = /^export interface (\w+)/.exec(line)?.[1] ?? owner;
    const name = /^ +(?:readonly )?"?([\w.]+)"?\??: /.exec(line)?.[1];
    if (name && !comment.endsWith('open')) fields.push({ owner, name, comment });
    if (/^\s*\/\*\*/.test(line)) comment = '';
    comment = /^\s*(\/\*\*|\*)/.test(line) ? `${comment} ${line.trim()}` : '';
  }
  return fields;
}

const FIELDS = fieldsOf(TYPES_FILE).filter(({ owner }) => owner !== 'SchemaTypes');

describe('the types of bodies and replies', () => {
  it('describe every field', () => {
    expect(FIELDS.length).toBeGreaterThan(1000);
    const bare = FIELDS.filter(({ comment }) => !/\w{2}/.test(comment));
    const advice =
      'write a description into contract/schema, or a note into contract/api-docs/field-notes.json';
    expect(
      bare.map(({ owner, name }) => `${owner}.${name}`),
      advice,
    ).toEqual([]);
  });

  it('say the unit of every field whose name has one', () => {
    const measured = FIELDS.filter(({ name }) => unitOf(name) !== undefined);
    expect(measured.length).toBeGreaterThan(100);
    const words = (/** @type {string} */ text) => text.split(/[\s();,.]+/);
    const silent = measured.filter(({ name, comment }) => {
      return !words(comment).includes(unitOf(name) ?? '');
    });
    expect(silent.map(({ owner, name }) => `${owner}.${name}`)).toEqual([]);
  });
});

describe('the calls of the client', () => {
  it('name summary, path, needs and refusals', () => {
    const calls = fieldsOf(CALLS_FILE);
    expect(calls.length).toBeGreaterThan(100);
    for (const { name, comment } of calls) expect(comment, name).toMatch(/\. \* \* `[A-Z]+ \/\S+`/);
    const goTo = calls.find(({ name }) => name === 'goTo')?.comment;
    expect(goTo).toContain('Needs the robot lock. Allowed in the state ready.');
    expect(goTo).toContain('motion_refused (400)');
  });
});
