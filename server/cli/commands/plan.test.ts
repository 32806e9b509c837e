/** Output and exit codes of `armtwin plan` for valid, invalid and missing files. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { ArmProfile, Cell, Toolpath } from '../../../contract/types.generated.ts';
import { shardOf } from '../shard.ts';
import { type PlanFlags, runPlan } from './plan.ts';

const SOUND = 'fixtures/toolpaths/pick-and-place.json';
const sound = JSON.parse(readFileSync(SOUND, 'utf8')) as Toolpath;
const folder = mkdtempSync(join(tmpdir(), 'armtwin-plan-'));

afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

function run(...files: string[]) {
  return runWith({}, ...files);
}

async function runWith(flags: PlanFlags, ...files: string[]) {
  const texts = { out: '', err: '' };
  const code = await runPlan(files, flags, {
    out: { write: (text: string) => (texts.out += text) },
    err: { write: (text: string) => (texts.err += text) },
  });
  return { code, ...texts };
}

function withWaypoint(index: number, joints: Toolpath['waypoints'][0]['joints']): Toolpath {
  const copy = structuredClone(sound);
  copy.waypoints[index]!.joints = joints;
  return copy;
}

describe('armtwin plan', () => {
  it('prints duration and demand of a valid toolpath and exits with 0', async () => {
    const { code, out } = await run(SOUND);
    expect(code).toBe(0);
    const [head, row] = out.split('\n');
    expect(head).toMatch(/^TOOLPATH +RESULT +DURATION/);
    expect(row).toMatch(/pick-and-place\.json +ok +\d+\.\d\d s +\d+ +\d+ % \(J\d\)/);
  });

  it('names the action and the code of a motion error and exits with 1', async () => {
    const faulty = file('below.json', withWaypoint(2, [0, -2.3, 0, 0, 0, 0]));
    const { code, out } = await run(SOUND, faulty);
    expect(code).toBe(1);
    expect(out).toContain('error: /timeline/2 ');
    expect(out).toContain('plane_collision');
  });

  it('lists every schema error with its JSON pointer', async () => {
    const { timeline } = sound;
    const broken = file('broken.json', { ...sound, timeline: [...timeline, { type: 'jump' }] });
    const { code, out } = await run(broken);
    expect(code).toBe(1);
    expect(out).toContain(`/timeline/${timeline.length}`);
  });

  it('lists errors that involve several places', async () => {
    const second = { type: 'home', waypoint_id: 0 } as const;
    const twice = { ...sound, timeline: [second, ...sound.timeline] };
    const { code, out } = await run(file('two-homes.json', twice));
    expect(code).toBe(1);
    expect(out).toContain('error: /timeline/');
  });

  it('reports a file that cannot be read', async () => {
    expect((await run(join(folder, 'missing.json'))).out).toContain('does not exist');
    const { code, out } = await run(file('text.json', '{"metadata":'));
    expect(code).toBe(1);
    expect(out).toContain('is not JSON');
  });

  it('writes a page of each file, also where two have one name', async () => {
    const pages = join(folder, 'pages');
    const { err } = await runWith({ html: pages }, SOUND, SOUND);
    const names = ['pick-and-place.html', 'pick-and-place-2.html'];
    expect(err).toBe(names.map((name) => `wrote ${join(pages, name)}\n`).join(''));
    for (const name of names) expect(readFileSync(join(pages, name), 'utf8')).toContain('<html');
  });

  it('prints the same as JSON', async () => {
    const { code, out } = await runWith({ json: true }, SOUND);
    expect(code).toBe(0);
    const [report] = JSON.parse(out);
    expect(report).toMatchObject({ file: SOUND, ok: true, warnings: [], errors: [] });
    expect(report.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(report.demand.joint_acceleration.share).toBeLessThanOrEqual(1);
    expect(report.demand.tool_speed_m_s).toBeLessThanOrEqual(0.5);
  });

  it('prints the time of a further loop where the toolpath ends away from home', async () => {
    const open = structuredClone(sound);
    open.timeline = open.timeline.slice(0, 2);
    const path = file('open.json', open);
    const [report] = JSON.parse((await runWith({ json: true }, path)).out);
    const back_s = report.further_loop_s - report.duration_s;
    expect(back_s).toBeGreaterThan(0.1);
    expect((await run(path)).out).toContain(
      `each further loop ${report.further_loop_s.toFixed(2)} s: it begins with ` +
        `${back_s.toFixed(2)} s back to the home waypoint`,
    );
    const [closed] = JSON.parse((await runWith({ json: true }, SOUND)).out);
    expect(closed.further_loop_s).toBe(closed.duration_s);
    expect((await run(SOUND)).out).not.toContain('further loop');
  });

  it('warns where teach mode cannot meet a requested time', async () => {
    const hurried = structuredClone(sound);
    const last = hurried.timeline.at(-1)!;
    if (last.type === 'trajectory') last.time = 0.75;
    const { code, out } = await run(file('hurried.json', hurried));
    expect(code).toBe(0);
    expect(out).toMatch(/warning: \/timeline\/11 .*teach mode/);
  });

  it('times the motions by a profile', { tags: ['slow'] }, async () => {
    const profile: ArmProfile = {
      armtwin_profile: 1,
      arm: 'automata-eva',
      motion: {
        law: 'quintic',
        velocity_rad_s: [0.6, 0.6, 0.6, 0.6, 0.6, 0.6],
        acceleration_rad_s2: [2, 2, 2, 2, 2, 2],
      },
    };
    const durations = async (flags: PlanFlags, files: readonly string[]) => {
      const { out } = await runWith({ json: true, ...flags }, ...files);
      return JSON.parse(out).map((report: { duration_s: number }) => report.duration_s);
    };
    const [plain] = await durations({}, [SOUND]);
    const [slow] = await durations({ profile }, [SOUND]);
    expect(slow).toBeGreaterThan(1.1 * plain);
    // More files are planned by worker threads.
    const many = [SOUND, SOUND, SOUND, SOUND];
    expect(await durations({ profile, threads: 1 }, many)).toEqual(many.map(() => slow));
  });

  it('plans many files on worker threads, in order, and prints progress', async () => {
    const files = Array.from({ length: 5 }, (_, i) => file(`copy-${i}.json`, sound));
    const { code, out, err } = await runWith({ json: true }, ...files);
    expect(code).toBe(0);
    expect(JSON.parse(out).map((report: { file: string }) => report.file)).toEqual(files);
    expect(err).toContain('planned 5 of 5');
  });

  it('assigns each file to exactly one shard', async () => {
    const files = ['a', 'b', 'c', 'd', 'e'].map((name) => file(`${name}.json`, '{'));
    const planned: string[] = [];
    for (const index of [1, 2]) {
      const shard = { index, count: 2 };
      const { out, err } = await runWith({ json: true, shard }, ...files);
      expect(err).toContain(`shard ${index} of 2: ${4 - index} of 5 files`);
      planned.push(...JSON.parse(out).map((report: { file: string }) => report.file));
    }
    expect(planned).toHaveLength(5);
    expect(planned.toSorted()).toEqual(files);
  });

  it('exits with 0 for a shard without files', async () => {
    const { code, out } = await runWith({ json: true, shard: { index: 3, count: 3 } }, SOUND);
    expect({ code, reports: JSON.parse(out) }).toEqual({ code: 0, reports: [] });
  });

  it('parses shards from 1 and nothing else', () => {
    expect(shardOf('2/8')).toEqual({ index: 2, count: 8 });
    expect(shardOf('8/8')).toEqual({ index: 8, count: 8 });
    for (const text of ['0/8', '9/8', '1', '1/0', 'a/b', '1/8/2', '-1/8', '1.5/2', '']) {
      expect(shardOf(text), text).toBeNull();
    }
  });

  it('expands a folder to its toolpaths, sorted by name', async () => {
    const inside = join(folder, 'set');
    mkdirSync(inside);
    for (const name of ['b.json', 'a.json', 'notes.txt']) writeFileSync(join(inside, name), '{');
    const { out } = await runWith({ json: true }, inside);
    const files = JSON.parse(out).map((report: { file: string }) => report.file);
    expect(files).toEqual([join(inside, 'a.json'), join(inside, 'b.json')]);
  });

  it('reports a link to itself, and reads past a byte order mark', async () => {
    const loop = join(folder, 'loop.json');
    symlinkSync(loop, loop);
    const marked = file('marked.json', `\uFEFF${JSON.stringify(sound)}`);
    const { code, out } = await runWith({ json: true }, loop, marked);
    const [first, second] = JSON.parse(out);
    expect([code, second.ok]).toEqual([1, true]);
    expect(first.errors[0].problem).toContain('is a link that leads back to itself');
  });

  it('refuses pages that would overwrite a toolpath, or a file in place of a folder', async () => {
    const own = file('own.json', sound);
    const text = readFileSync(own, 'utf8');
    await expect(runWith({ html: own }, own)).rejects.toThrow(`overwrite the input ${own}`);
    await expect(runWith({ html: own }, own, SOUND)).rejects.toThrow(/is a file; .* need a folder/);
    expect(readFileSync(own, 'utf8')).toBe(text);
  });

  it('exits with 2 without files', async () => {
    const empty = join(folder, 'empty');
    mkdirSync(empty);
    for (const paths of [[], [empty]]) {
      expect(await run(...paths)).toMatchObject({
        code: 2,
        out: '',
        err: `no toolpath files (*.json, *.act) in: ${paths.join(', ')}\n`,
      });
    }
  });
});

describe('armtwin plan --cell', () => {
  const trays = JSON.parse(readFileSync('fixtures/cells/trays.json', 'utf8')) as Cell;
  const wall = {
    name: 'wall',
    position: { x: 0.45, y: 0, z: 0 },
    boxes: [{ size_m: { x: 0.3, y: 0.01, z: 0.5 } }],
  };
  const walled: Cell = { ...trays, fixtures: [...(trays.fixtures ?? []), wall] };

  it('says what the motions were checked against', async () => {
    const plain = await run(SOUND);
    expect(plain.out).toContain(
      'checked against: the floor, itself, 0 zones, no cell (--cell FILE)\n',
    );
    const { code, out } = await runWith({ cell: trays }, SOUND);
    expect(code).toBe(0);
    expect(out).toContain(
      'checked against: the floor, itself, 0 zones, the cell of 5 bodies, ' +
        'not door (a door has no shape)\n',
    );
  });

  it('writes the cell into the page, where it is checked too', async () => {
    const html = join(folder, 'walled.html');
    await runWith({ cell: walled, html }, SOUND);
    const [, text = ''] = /id="armtwin-document">(.*?)<\/script>/s.exec(
      readFileSync(html, 'utf8'),
    )!;
    expect(JSON.parse(text)).toMatchObject({ kind: 'toolpath', cell: walled });
  });

  it('reports a path through a wall as an error with step, time, place, depth and remedy', async () => {
    const { code, out } = await runWith({ cell: walled }, SOUND);
    expect(code).toBe(1);
    expect(out).toMatch(
      /error: \/timeline\/\d+ .* deep into the fixture "wall" at \d+\.\d\d s, at \(.*\) m\. Add a waypoint/,
    );
    const json = await runWith({ cell: walled, json: true }, SOUND);
    const [report] = JSON.parse(json.out);
    expect(report.ok).toBe(false);
    expect(report.checked_against).toContain('the cell of 6 bodies');
    expect(report.errors.length).toBeGreaterThan(0);
    for (const { code: kind, contact } of report.errors) {
      expect(kind).toBe('object_collision');
      expect(contact).toMatchObject({ what: 'wall', kind: 'fixture' });
      expect(contact.place_m).toHaveLength(3);
    }
  });
});
