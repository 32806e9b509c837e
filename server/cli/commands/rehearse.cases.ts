/** Rehearsals of the fixtures as the command runs them. Test code. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RehearsalExpectations, Toolpath } from '../../../contract/types.generated.ts';
import { startTwin } from '../../app/app.ts';
import type { SimulatedDriver } from '../config.ts';
import * as parsers from '../option-parsers.ts';
import { type RehearseRequest, runRehearse } from './rehearse.ts';
import type { RehearseFlags } from './rehearse-flags.ts';

export const PICK_AND_PLACE = 'fixtures/toolpaths/pick-and-place.json';

/** The expectations of the tray cell: the part in the other nest. */
export const PLACED: RehearsalExpectations = {
  objects: [{ object: 'part 1', at: 'B1', within_mm: 1 }],
  max_duration_s: 10,
  max_contact_force_n: 5,
  signals: [
    { output: 'ee_d0', value: true },
    { input: 'ee_d0', value: true },
    { input: 'd2', value: true },
    { output: 'ee_d0', value: false },
  ],
};

/** Writes the toolpath with a change; returns the path of the file `changed.json`. */
export function toolpathFile(change: (toolpath: Toolpath) => Toolpath): string {
  const path = join(mkdtempSync(join(tmpdir(), 'rehearse-')), 'changed.json');
  const toolpath = JSON.parse(readFileSync(PICK_AND_PLACE, 'utf8')) as Toolpath;
  writeFileSync(path, JSON.stringify(change(toolpath)));
  return path;
}

type Flags = Omit<RehearseFlags, 'driver'> & {
  readonly driver: SimulatedDriver | 'default';
  /** Where the first of two plants is rehearsed; default: here, before the other. */
  readonly elsewhere: NonNullable<RehearseRequest['elsewhere']>;
};

/** Runs the command in a cell of the fixtures, on the fast plant; returns exit code and output. */
export async function rehearsed(
  cell: string,
  path: string | readonly string[],
  { driver = 'fast', elsewhere, ...flags }: Partial<Flags> = {},
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const read = parsers.cell(`fixtures/cells/${cell}.json`);
  if (!read.ok) throw new Error(read.error);
  const texts = { out: [] as string[], err: [] as string[] };
  const io = {
    out: { write: (text: string) => texts.out.push(text) },
    err: { write: (text: string) => texts.err.push(text) },
  };
  const given: RehearseFlags = {
    cell: read.value,
    ...(driver !== 'default' && { driver }),
    realism: 'ideal',
    variations: 0,
    seed: 1,
    limit: 600,
    ...flags,
  };
  const request = { flags: given, start: startTwin, io, ...(elsewhere && { elsewhere }) };
  const code = await runRehearse([path].flat(), request);
  return { code, out: texts.out.join(''), err: texts.err.join('') };
}
