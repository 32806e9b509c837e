/** `armtwin export`: files, the standard output, the binary container and refusals. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// @ts-expect-error: the package has no types.
import validator from 'gltf-validator';
import { afterAll, describe, expect, it } from 'vitest';
import { type ExportFlags, runExport } from './export.ts';

const folder = mkdtempSync(join(tmpdir(), 'armtwin-export-'));

afterAll(() => rmSync(folder, { recursive: true }));

function run(flags: ExportFlags) {
  const texts = { out: '', err: '' };
  const code = runExport(flags, {
    out: { write: (text) => (texts.out += text) },
    err: { write: (text) => (texts.err += text) },
  });
  return { code, ...texts };
}

describe('armtwin export', () => {
  it('writes each format to its file', async () => {
    const file = (name: string) => join(folder, name);
    const flags = { urdf: file('arm.urdf'), mjcf: file('arm.xml'), gltf: file('arm.gltf') };
    expect(run({ ...flags, payload: 0.5 })).toEqual({ code: 0, out: '', err: '' });
    expect(readFileSync(flags.urdf, 'utf8')).toContain('<robot name="armtwin">');
    expect(readFileSync(flags.urdf, 'utf8')).toContain('<mass value="0.5"/>');
    expect(readFileSync(flags.mjcf, 'utf8')).toContain('mass="0.5"');
    const { issues } = await validator.validateBytes(readFileSync(flags.gltf));
    expect(issues).toMatchObject({ numErrors: 0, numWarnings: 0 });
  });

  it('writes the binary container of glTF, which the validator of Khronos accepts', async () => {
    const gltf = join(folder, 'arm.glb');
    expect(run({ gltf }).code).toBe(0);
    const { issues, info, mimeType } = await validator.validateBytes(readFileSync(gltf));
    expect(mimeType).toBe('model/gltf-binary');
    expect(issues).toMatchObject({ numErrors: 0, numWarnings: 0 });
    expect(info.drawCallCount).toBe(7);
  });

  it('writes the cell into each format', () => {
    const cell = JSON.parse(readFileSync('fixtures/cells/trays.json', 'utf8'));
    expect(run({ urdf: true, cell }).out).toContain('<link name="tray_A">');
    expect(run({ mjcf: true, cell }).out).toContain('<freejoint name="part_1_joint"/>');
    expect(run({ gltf: true, cell }).out).toContain('{"kind":"object","name":"part 1"');
  });

  it('writes one model to the standard output', () => {
    const { code, out } = run({ mjcf: true });
    expect(code).toBe(0);
    expect(out.startsWith('<mujoco model="armtwin">\n')).toBe(true);
    expect(out.endsWith('</mujoco>\n')).toBe(true);
  });

  it.each<[ExportFlags, string]>([
    [{}, 'No format is given'],
    [{ urdf: true, gltf: true }, 'Only one model fits the standard output'],
    [{ urdf: join(folder, 'absent', 'arm.urdf') }, 'does not exist (ENOENT).'],
    [{ gltf: folder }, 'is a folder; a file is needed'],
  ])('refuses %j with a sentence and exits with 2', (flags, sentence) => {
    const { code, out, err } = run(flags);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(sentence);
    expect(err).toMatch(/^[^\n]+\.\n$/);
  });
});
