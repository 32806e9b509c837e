/** Results of commands overwrite neither inputs nor each other, by whichever path. */
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { OptionError } from './option-error.ts';
import {
  beginResult,
  requireSeparateFiles,
  requireWritable,
  writeDocument,
  writeWhole,
} from './result-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'result-files-'));
const input = join(folder, 'input.json');
writeFileSync(input, '{}');
symlinkSync(input, join(folder, 'link'));
linkSync(input, join(folder, 'hard'));
mkdirSync(join(folder, 'sub'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('a result', () => {
  it.each(['input.json', 'link', 'hard', 'sub/../input.json'])('is not an input: %s', (name) => {
    const call = () => requireWritable({ html: join(folder, name) }, [input]);
    expect(call).toThrow(OptionError);
    expect(call).toThrow(`would overwrite the input ${input}; name another file`);
  });

  it('is not another result, except a device', () => {
    const [one, same] = [join(folder, 'new'), join(folder, 'sub', '..', 'new')];
    expect(() => requireWritable({ junit: one, html: same })).toThrow('the result of --junit');
    expect(() => requireWritable({ junit: one, html: `${one}.html` })).not.toThrow();
    expect(() => requireWritable({ junit: '/dev/null', html: '/dev/null' })).not.toThrow();
  });

  it('is compared with every option of a command line', () => {
    const check = (line: string) => () => requireSeparateFiles(line.split(' '));
    expect(check(`rehearse a.json --cell ${input} --html ${input}`)).toThrow(OptionError);
    expect(check(`plan a.json --profile=${input} --html=${input}`)).toThrow(OptionError);
    expect(check(`--record ${input} --cell ${input}`)).toThrow(OptionError);
    expect(check(`export --urdf ${folder}/x --mjcf ${folder}/x`)).toThrow('the result of --urdf');
    expect(check(`run --html ${input} -- command ${input}`)).not.toThrow();
    expect(check(`export --urdf --cell ${input} --mjcf ${folder}/x`)).not.toThrow();
  });
});

describe('a result that is written', () => {
  it('replaces a file only when it is complete', () => {
    const own = mkdtempSync(join(folder, 'whole-'));
    const path = join(own, 'page.html');
    writeFileSync(path, 'former', { mode: 0o640 });
    const failed = beginResult(path);
    writeFileSync(failed.part, 'hal');
    expect(readFileSync(path, 'utf8')).toBe('former');
    failed.discard();
    expect(readdirSync(own)).toEqual(['page.html']);
    writeWhole(path, 'whole');
    expect(readFileSync(path, 'utf8')).toBe('whole');
    expect(statSync(path).mode & 0o777).toBe(0o640);
    expect(readdirSync(own)).toEqual(['page.html']);
  });

  it('goes through links, and into what is no file in place', () => {
    const own = mkdtempSync(join(folder, 'links-'));
    const [path, link] = [join(own, 'page.html'), join(own, 'link')];
    symlinkSync(path, link);
    for (const text of ['into nowhere', 'into a file']) {
      writeWhole(link, text);
      expect(readFileSync(path, 'utf8')).toBe(text);
    }
    expect(beginResult('/dev/null').part).toBe('/dev/null');
    expect(readdirSync(own)).toEqual(['link', 'page.html']);
  });

  it('is a document, with the mode of the file before, through links, and on a device', async () => {
    const own = mkdtempSync(join(folder, 'document-'));
    const [path, link] = [join(own, 'arm.json'), join(own, 'link')];
    writeFileSync(path, 'former', { mode: 0o640 });
    symlinkSync(path, link);
    await writeDocument(link, { joints: [1, 2] });
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ joints: [1, 2] });
    expect(statSync(path).mode & 0o777).toBe(0o640);
    await writeDocument('/dev/null', {});
    expect(readdirSync(own)).toEqual(['arm.json', 'link']);
  });

  it('is a document that is not written: the file stays, and nothing is left', async () => {
    const own = mkdtempSync(join(folder, 'no-document-'));
    await expect(writeDocument(join(own, 'none', 'arm.json'), {})).rejects.toThrow('Cannot write');
    await expect(writeDocument(own, {})).rejects.toThrow('Cannot write');
    // Where the adapter fails, the document is written by other means.
    symlinkSync(join(own, 'none', 'part'), join(own, '.arm.json.tmp'));
    await writeDocument(join(own, 'arm.json'), { a: 1 });
    expect(JSON.parse(readFileSync(join(own, 'arm.json'), 'utf8'))).toEqual({ a: 1 });
    expect(readdirSync(own)).toEqual(['arm.json']);
  });

  it('leaves nothing of what cannot be written', () => {
    const own = mkdtempSync(join(folder, 'no-'));
    expect(() => writeWhole(join(own, 'none', 'page.html'), 'x')).toThrow('ENOENT');
    expect(() => writeWhole(own, 'x')).toThrow('EISDIR');
    expect(readdirSync(own)).toEqual([]);
  });
});
