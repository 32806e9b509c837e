/** A document at a door of the command line that takes another kind: the door says which it is. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { FEETECH } from '../bridge/feetech/family.ts';
import { readCalibration } from '../bridge/servo/calibration/calibration-file.ts';
import { readToolpathFile } from './cli/commands/toolpath-report.ts';
import * as values from './cli/option-parsers.ts';
import { readCapture } from './identify/capture-reader.ts';
import { parseRecording } from './recording/recording-format.ts';

const folder = mkdtempSync(join(tmpdir(), 'armtwin-kinds-'));
afterAll(() => rmSync(folder, { recursive: true }));

const fixture = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

/** A document of each kind. */
const DOCUMENTS = {
  'a toolpath': fixture('fixtures/toolpaths/pick-and-place.json'),
  'a cell': fixture('fixtures/cells/trays.json'),
  'a workflow': fixture('fixtures/workflows/assay.json'),
  'a workcell': '{"name": "lab", "instruments": []}',
  'a seed': fixture('fixtures/seeds/loopback.json'),
  'a list of faults': '[{"kind": "driver", "joint": 2, "fault": "overheated"}]',
  'a file of expectations': '{"objects": [{"object": "part", "at": "goal"}]}',
  'a calibration': fixture('fixtures/servos/feetech.json'),
  'a profile': '{"armtwin_profile": 1, "arm": "eva"}',
  'an arm': fixture('arms/default/arm.json'),
  'a recording': '{"kind":"head","tape":2}\n{"kind":"end","tick":0}\n',
  'a capture': '{"kind":"head","armtwin_capture":1}\n{"kind":"end"}\n',
} as const;
type Name = keyof typeof DOCUMENTS;

/** What a door says of a file; empty: it is taken. */
const DOORS: Partial<Record<Name, (path: string, text: string) => string | Promise<string>>> = {
  'a toolpath': (path) => {
    const read = readToolpathFile(path);
    return read.ok ? '' : read.error.map(({ problem }) => problem).join();
  },
  'a cell': (path) => problemOf(values.cell(path)),
  'a seed': (path) => problemOf(values.seed(path)),
  'a list of faults': (path) => problemOf(values.faults(path)),
  'a file of expectations': (path) => problemOf(values.expectations(path)),
  'a profile': (path) => problemOf(values.profile(path)),
  'a calibration': (path) => problemOf(readCalibration(path, [FEETECH])),
  'a recording': (_, text) => thrown(() => parseRecording(text)),
  'a capture': (path) => thrown(() => readCapture(path, () => expect.fail('a recording'))),
};

function problemOf(read: { ok: true } | { ok: false; error: string }): string {
  return read.ok ? '' : read.error;
}

async function thrown(read: () => unknown): Promise<string> {
  try {
    await read();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

function fileOf(text: string): string {
  const path = join(folder, 'given.json');
  writeFileSync(path, text);
  return path;
}

describe.each(Object.entries(DOORS))('the door of %s', (wanted, door) => {
  const others = Object.entries(DOCUMENTS).filter(([name]) => name !== wanted);
  // A recording is a capture of a twin.
  const refused = others.filter(([name]) => `${wanted} ${name}` !== 'a capture a recording');

  it.each(refused)('names %s', async (name, text) => {
    expect(await door(fileOf(text), text)).toContain(` is ${name}; ${wanted} has `.trimStart());
  });

  it('calls what it takes by no other name', async () => {
    const text = DOCUMENTS[wanted as Name];
    expect(await door(fileOf(text), text)).not.toContain(`; ${wanted} has `);
  });
});
