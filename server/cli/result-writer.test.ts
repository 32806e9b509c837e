/** Results of commands are written whole or not at all, also through links and in place. */
import {
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
import { beginResult, writeDocument, writeWhole } from './result-writer.ts';

const folder = mkdtempSync(join(tmpdir(), 'result-writer-'));
afterAll(() => rmSync(folder, { recursive: true }));

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
