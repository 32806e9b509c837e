/**
 * The same toolpath files at every door of the server that takes one: the same verdict, and the
 * same sentence. The page's door: viewer/toolpath/open-toolpath.test.ts.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  packed,
  TAUGHT_TRAY,
  TOOLPATH_FILES,
  TRAY_RECORD,
  WRONG_FILES,
} from '../physics/toolpath/toolpath-files.cases.ts';
import { readToolpathFile, reportOn } from './cli/commands/toolpath-report.ts';
import { checkedSeed } from './documents/checked-seed.ts';
import { documentTasks } from './documents/document-tasks.ts';

const folder = mkdtempSync(join(tmpdir(), 'armtwin-doors-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** What a seed says of the text of a file; null: it is taken. */
function seedProblem(text: string): string | null {
  const [one] = checkedSeed({ toolpaths: [{ name: 'x', toolpath: text }] }).toolpaths!;
  if (!('refused' in one!.toolpath)) return null;
  const [first] = one!.toolpath.details as { problem: string }[];
  return first!.problem;
}

function sent(dialect: 'documented' | 'fielded', toolpath: unknown) {
  const body = new TextEncoder().encode(JSON.stringify({ name: 'x', toolpath }));
  return documentTasks.body({
    ...{ route: 'createToolpath', schema: 'SaveToolpathBody', dialect, pieces: [body] },
    ...{ needsHash: false, isUsers: true },
  });
}

describe.each(TOOLPATH_FILES)('%s', (_, path) => {
  it('loads and builds on the command line', () => {
    expect(reportOn({ file: path })).toMatchObject({ ok: true, errors: [] });
  });

  it('is taken as a seed', () => {
    expect(seedProblem(readFileSync(path, 'utf8'))).toBeNull();
  });

  it('is a toolpath that the API takes', () => {
    const read = readToolpathFile(path);
    expect(sent('documented', read.ok && read.value.toolpath)).not.toHaveProperty('refused');
  });
});

describe('digital lines as the editor of the arm writes them', () => {
  it('are taken in the dialect of the field, and named', () => {
    const taken = sent('fielded', TRAY_RECORD.toolpath);
    expect(taken).not.toHaveProperty('refused');
    expect('ignored' in taken && taken.ignored).toEqual([
      '/toolpath/timeline/1/condition/operator',
      '/toolpath/timeline/1/condition/value',
      '/toolpath/timeline/2/timeline/1/value',
      '/toolpath/timeline/2/timeline/3/value',
      '/toolpath/timeline/3/branches/0/condition/operator',
      '/toolpath/timeline/3/branches/0/condition/value',
    ]);
  });

  it('are refused in the documented one', () => {
    const { body } = sent('documented', TRAY_RECORD.toolpath) as { body: { toolpath: object } };
    expect(body.toolpath).toMatchObject({ refused: 'invalid_arguments' });
  });
});

describe('what is no toolpath', () => {
  it.each(WRONG_FILES)('%s is named as such at every door', (_, text, problem) => {
    const file = join(folder, 'wrong.json');
    writeFileSync(file, text);
    expect(reportOn({ file }).errors[0]!.problem).toContain(problem);
    expect(seedProblem(text)).toContain(problem);
  });

  it.each([
    ['a record', TRAY_RECORD, 'is a record with a toolpath in it'],
    ['an export', packed(TAUGHT_TRAY), 'is text, such as the base64 text of an export'],
  ])('%s in the place of a toolpath is named as such by the API', (_, toolpath, problem) => {
    expect(sent('fielded', toolpath)).toMatchObject({
      refused: 'invalid_arguments',
      details: [{ path: '/toolpath', problem: expect.stringContaining(problem) }],
    });
  });
});
