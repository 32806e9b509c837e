/** Results of commands overwrite neither inputs nor each other, by whichever path. */
import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { OptionError } from './option-error.ts';
import { requireSeparateFiles, requireWritable } from './result-files.ts';

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
