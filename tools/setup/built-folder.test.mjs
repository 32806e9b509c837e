import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { nextFolder, removeUnfinished, takePlace } from './built-folder.mjs';
import { exitCodeOf } from './start.mjs';

const placeOf = () => join(mkdtempSync(join(tmpdir(), 'armtwin-')), 'dist');

/** A folder as a build leaves it. @param {string} folder @param {string} content */
function write(folder, content) {
  mkdirSync(folder);
  writeFileSync(join(folder, 'main.js'), content);
}

it('takes the place of what was built before, and leaves nothing beside it', () => {
  const place = placeOf();
  for (const content of ['first', 'second']) {
    write(nextFolder(place), content);
    takePlace(nextFolder(place), place);
    expect(readFileSync(join(place, 'main.js'), 'utf8')).toBe(content);
  }
  expect(readdirSync(join(place, '..'))).toEqual(['dist']);
});

it('is whole when two processes build at once', async () => {
  const place = placeOf();
  const program = `
    import { mkdirSync, writeFileSync } from 'node:fs';
    import { nextFolder, takePlace } from '${new URL('built-folder.mjs', import.meta.url).href}';
    const place = process.argv[1];
    for (let i = 0; i < 500; i++) {
      mkdirSync(nextFolder(place));
      writeFileSync(nextFolder(place) + '/main.js', 'whole');
      takePlace(nextFolder(place), place);
    }`;
  const args = ['--input-type=module', '-e', program, place];
  const builds = [1, 2].map(() =>
    spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] }),
  );
  expect(await Promise.all(builds.map(exitCodeOf))).toEqual([0, 0]);
  expect(readFileSync(join(place, 'main.js'), 'utf8')).toBe('whole');
  expect(readdirSync(join(place, '..'))).toEqual(['dist']);
});

it('removes what killed builds have left, and not what another is building', async () => {
  const place = placeOf();
  const ended = spawn(process.execPath, ['-e', '']);
  await exitCodeOf(ended);
  const folders = [
    nextFolder(place),
    `${place}.next-${ended.pid}`,
    `${place}.next-${process.ppid}`,
  ];
  for (const folder of folders) write(folder, 'half');
  removeUnfinished(place);
  expect(folders.map((folder) => existsSync(folder))).toEqual([false, false, true]);
});
