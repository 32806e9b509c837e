/** Test code: files of toolpaths that every door takes, and files that each refuses alike. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../fixtures/toolpaths/', import.meta.url));

/** Name and path of each toolpath file of the fixtures, exports and records of the field included. */
export const TOOLPATH_FILES = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(json|act)$/.test(name))
  .map((name) => [name, `${FOLDER}${name}`] as const);

/** A toolpath with a grid taught by hand, and digital lines in the notation of the arm's editor. */
export const TAUGHT_TRAY = readFileSync(`${FOLDER}field/taught-tray.json`, 'utf8');

/** That toolpath in the record that replies and backups have. */
export const TRAY_RECORD = { id: 1, name: 'x', hash: '', toolpath: JSON.parse(TAUGHT_TRAY) };

export function packed(text: string): string {
  return btoa(text);
}

/** What each wrong file is, its text, and how the problem begins that every door tells of it. */
export const WRONG_FILES: readonly (readonly [what: string, text: string, problem: string])[] = [
  ['nothing', ' \n', 'is empty'],
  ['a word', 'toolpath', 'is not JSON: line 1: expected a value'],
  ['JSON that ends early', TAUGHT_TRAY.slice(0, 40), 'is not JSON: line 3: expected a key'],
  ['base64 that ends early', packed(TAUGHT_TRAY).slice(0, 101), 'is base64 text that is damaged'],
  [
    'an export that ends early',
    packed(TAUGHT_TRAY).slice(0, 400),
    'is a base64 export whose content is not JSON: line ',
  ],
  ['a list', `[${TAUGHT_TRAY}]`, 'is a list of 1; give one toolpath'],
  ['a list reply', '{"toolpaths": []}', 'is a list of toolpaths; give one of them'],
  ['a cell', '{"name": "bench", "fixtures": []}', 'is a cell; a toolpath has metadata'],
  ['a workflow', '{"name": "assay", "workflow": {}}', 'is a workflow; a toolpath has metadata'],
  ['a toolpath without metadata', '{"waypoints": [], "timeline": []}', 'is missing, and it'],
  [
    'a record in a record',
    JSON.stringify({ name: 'y', toolpath: TRAY_RECORD }),
    'is a record with a toolpath in it; give what stands in its field toolpath',
  ],
];
