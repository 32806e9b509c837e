/** `armtwin rehearse` on the cells of the fixtures: report, exit code, JUnit and JSON. */
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TICK_S } from '../../../bridge/arm-driver.ts';
import type { RecordingDocument } from '../../../contract/export-document.ts';
import type { Cell, CellEvent } from '../../../contract/types.generated.ts';
import { PLANT_STEP_S } from '../../../physics/dynamics/plant-step.ts';
import { restsOf, type ToolpathRehearsal } from './rehearsal-report.ts';
import { PICK_AND_PLACE, PLACED, rehearsed, toolpathFile } from './rehearse.cases.ts';
import { RehearsePool } from './rehearse-pool.ts';
import type { RehearsedEvent, RehearsedRun } from './rehearsed-run.ts';
import { mishapProblems } from './run-problems.ts';
import { shareInterval } from './share-interval.ts';
import { missingSignal } from './signal-watch.ts';

const TRAYS = JSON.parse(readFileSync('fixtures/cells/trays.json', 'utf8')) as Cell;
const STEPS_PER_TICK = Math.round(TICK_S / PLANT_STEP_S);

/** A slow toolpath with its home at a waypoint, which takes a new twin more than 5 s to reach. */
function homeAt(waypoint_id: number): string {
  return toolpathFile(({ metadata, ...toolpath }) => ({
    ...toolpath,
    metadata: { ...metadata, default_max_speed: 0.1 },
    timeline: [
      { type: 'home', waypoint_id },
      { type: 'trajectory', trajectory: 'joint_space', waypoint_id: 0 },
    ],
  }));
}

describe('rehearse', () => {
  it('prints what happened, with variations', { tags: ['ci'], timeout: 60_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rehearse-'));
    const junit = join(folder, 'rehearse.xml');
    const flags = { expect: { ...PLACED, min_share: 0.9 }, variations: 2, spread: 20, junit };
    const first = await rehearsed('trays', PICK_AND_PLACE, flags);
    expect(first.out).toMatch(
      /^pick-and-place: as expected, 8\.\d\d s\n +plant +fast, realism ideal\n/,
    );
    expect(first.out).toMatch(
      / +checked +the floor, itself, 0 zones, the cell of 5 bodies, not door \(a door has no shape\)\n/,
    );
    expect(first.out).toMatch(/picked +part 1 at A1 \(2\.\d\d s in \/timeline\/\d\)\n/);
    expect(first.out).toMatch(
      /placed +part 1 at B1 \(6\.\d\d s in \/timeline\/\d\)\n +moved +nothing\n/,
    );
    expect(first.out).toMatch(
      /touched +load touched tray A with 0\.\d N at 2\.\d\d s in \/timeline\/\d+, at \(0\.\d{3}, .*\) m; load touched tray B/,
    );
    expect(first.out).toMatch(/missed +nothing\n/);
    expect(first.out).toMatch(/worst: variation \d: /);
    expect(first.code).toBe(1);
    expect(readFileSync(junit, 'utf8')).toMatch(
      /tests="2" failures="1".* time="8\.\d{3}".*of 2 variations work/s,
    );
  });

  it('names each expectation that is not met', { tags: ['slow'] }, async () => {
    const { code, out } = await rehearsed('trays', PICK_AND_PLACE, {
      expect: {
        objects: [{ object: 'part 1', at: 'A2' }],
        max_duration_s: 5,
        max_contact_force_n: 0.1,
        signals: [
          { output: 'ee_d0', value: false },
          { output: 'ee_d0', value: true },
        ],
      },
    });
    expect(code).toBe(1);
    expect(out).toMatch(/problem: the run took 8\.\d\d s, more than 5 s/);
    expect(out).toMatch(
      /problem: load touched tray A with 0\.\d N at 2\.\d\d s in \/timeline\/\d+, at .* m: more than 0\.1 N/,
    );
    expect(out).toMatch(/problem: output ee_d0 on did not follow in the expected order/);
    expect(out).toMatch(/problem: part 1 is resting at B1, \(.*\) m, not at A2/);
  });

  it('presses buttons, and says why a run does not finish', { tags: ['slow'] }, async () => {
    const path = 'fixtures/toolpaths/assay.json';
    const expected = { objects: [{ object: 'plate 1', at: 'incubator nest', within_mm: 1 }] };
    const pressed = await rehearsed('assay', path, { expect: { ...expected, press: ['start'] } });
    expect(pressed.out).toMatch(/^assay: as expected/);
    expect(pressed.code).toBe(0);
    const waiting = await rehearsed('assay', path, { expect: expected, limit: 20 });
    expect(waiting.out).toMatch(
      /did not finish within 20 s; it is at \/timeline\/\d+ and waits until base input \d is on, since \d/,
    );
    expect(waiting.out).toContain('plate 1 is resting at hotel 1');
  });

  it('refuses expectations that no run can meet, or that expect nothing', async () => {
    const { code, err } = await rehearsed('trays', PICK_AND_PLACE, {
      expect: {
        objects: [
          { object: 'part 9', at: 'A1' },
          { object: 'part 1', at: 'C1' },
          { object: 'part 1', held_by: 'cup' },
          { object: 'part 1' },
          { object: 'part 1', held_by: 'gripper', within_mm: 1 },
          { object: 'part 1', at: 'A1', held_by: 'gripper' },
          { object: 'part 1', at: 'tray B', within_mm: 1 },
          { object: 'part 1', at: 'part 1' },
        ],
        signals: [{ value: true }, { input: 'd0', output: 'd0', value: true }],
        press: ['start'],
      },
    });
    expect(code).toBe(2);
    expect(err.split('\n').map((line) => line.trim().split(' ')[0])).toEqual([
      ...['--expect', '/objects/0/object', '/objects/1/at', '/objects/2/held_by', '/objects/3'],
      ...['/objects/4/within_mm', '/objects/5/at', '/objects/6/within_mm', '/objects/7/at'],
      ...['/signals/0', '/signals/1', '/press/0', ''],
    ]);
    expect(err).toContain('/press/0 the cell has no control “start”: it has door');
  });

  it('refuses a least share without variations, of which it is the share', async () => {
    const { code, err } = await rehearsed('trays', PICK_AND_PLACE, { expect: { min_share: 0.9 } });
    const text = 'min_share of --expect needs --variations, of which it is the share\n';
    expect([code, err]).toEqual([2, text]);
  });

  it('refuses a spread without variations, which would have no effect', async () => {
    const { code, err } = await rehearsed('trays', PICK_AND_PLACE, { spread: 20 });
    expect([code, err]).toEqual([2, '--spread needs --variations, whose positions it draws\n']);
  });

  it('refuses an empty list of objects, beside which no mishap would count', async () => {
    const { code, err } = await rehearsed('trays', PICK_AND_PLACE, { expect: { objects: [] } });
    expect([code, err.includes('/objects is empty')]).toEqual([2, true]);
  });

  it('says when and why a run ends that an open door stops', async () => {
    const { code, out } = await rehearsed('trays', PICK_AND_PLACE, { expect: { press: ['door'] } });
    expect(code).toBe(1);
    expect(out).toMatch(/^pick-and-place: not as expected, 0\.\d\d s/);
    expect(out).toContain('problem: the run ended in the state disabled: door opened');
  });

  it('states all times and ticks from the start of the run', { tags: ['ci'] }, async () => {
    const { out } = await rehearsed('trays', PICK_AND_PLACE, { json: true });
    const [{ report }] = JSON.parse(out) as [{ readonly report: RehearsedRun }];
    const { duration_s, events, contacts } = report;
    for (const { at_s, tick } of events) {
      expect(at_s).toBe(Number(at_s.toFixed(3)));
      expect(tick).toBe(Math.ceil(Math.round(at_s / PLANT_STEP_S) / STEPS_PER_TICK));
    }
    expect(contacts.length).toBeGreaterThan(0);
    for (const { at_s, ended_s } of contacts) {
      expect(ended_s).toBeGreaterThanOrEqual(at_s);
      expect(ended_s).toBeLessThanOrEqual(duration_s);
    }
  });

  it('runs both plants where they can differ, and reports them as one where they agree', async () => {
    const { code, out } = await rehearsed('trays', PICK_AND_PLACE, { driver: 'default' });
    expect(code).toBe(0);
    expect(out).toMatch(
      /^pick-and-place: as expected, .* s\n +plant +fast and rapier agree, realism ideal\n/,
    );
    expect(out.match(/as expected/g)).toHaveLength(1);
  });

  it('notes that no gripper closed, and by which output it would', async () => {
    const path = toolpathFile(({ timeline, ...toolpath }) => ({
      ...toolpath,
      timeline: timeline.filter(({ type }) => type !== 'output-set'),
    }));
    const note = /\n +note +no gripper closed: gripper closes by ee_d0/;
    expect((await rehearsed('trays', path)).out).toMatch(note);
    expect((await rehearsed('trays', path, { expect: PLACED })).out).toMatch(note);
    expect((await rehearsed('trays', PICK_AND_PLACE)).out).not.toContain('note');
  });

  it('says the same with a plant on another thread', {
    tags: ['slow'],
    timeout: 120_000,
  }, async () => {
    const here = await rehearsed('trays', PICK_AND_PLACE, { driver: 'default', json: true });
    const pool = new RehearsePool();
    const elsewhere = pool.run.bind(pool);
    const flags = { driver: 'default', json: true, elsewhere } as const;
    try {
      expect(await rehearsed('trays', PICK_AND_PLACE, flags)).toEqual(here);
      const outside = toolpathFile((toolpath) => ({ ...toolpath, waypoints: [] }));
      const refused = await rehearsed('trays', outside, flags);
      expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('changed.json: ')]);
      const blocked = { ...flags, expect: { ...PLACED, press: ['door'] } };
      expect((await rehearsed('trays', PICK_AND_PLACE, blocked)).code).toBe(1);
    } finally {
      await pool.close();
    }
  });

  it('says where the plants differ, and what each of them makes of it', {
    tags: ['slow'],
  }, async () => {
    const junit = join(mkdtempSync(join(tmpdir(), 'rehearse-')), 'rehearse.xml');
    // The part is let go above the edge of the tray, with its middle 5 mm beyond.
    const path = toolpathFile(({ timeline, ...toolpath }) => ({
      ...toolpath,
      timeline: timeline.filter((_, i) => i !== 7),
    }));
    const fixtures = TRAYS.fixtures!.map((fixture) => {
      return fixture.name === 'tray B'
        ? { ...fixture, position: { x: 0.35, y: 0.305, z: 0.05 } }
        : fixture;
    });
    const flags = { driver: 'default', cell: { ...TRAYS, fixtures }, junit } as const;
    const { code, out } = await rehearsed('trays', path, flags);
    expect(code).toBe(1);
    expect(out.match(/^changed: not as expected/gm)).toHaveLength(2);
    const said = /part 1 is tipped at table in the end, \(.*\) m \(5\.\d\d s in \/timeline\/\d\)/
      .source;
    expect(out).toMatch(
      new RegExp(`the plants differ: part 1: on fast, ${said}; on rapier, ${said}\n`),
    );
    const cases = readFileSync(junit, 'utf8');
    for (const plant of ['fast', 'rapier']) expect(cases).toContain(`"as described on ${plant}"`);
    expect(cases.match(/<system-out>the plants differ: part 1: on fast, /g)).toHaveLength(2);
    const json = await rehearsed('trays', path, { ...flags, json: true });
    const done = JSON.parse(json.out) as ToolpathRehearsal[];
    expect(done.map(({ driver }) => driver)).toEqual(['fast', 'rapier']);
    for (const { differences } of done) {
      expect(differences).toMatchObject([{ variation: null, object: 'part 1' }]);
      expect(differences[0]!.plants.fast).not.toEqual(differences[0]!.plants.rapier);
    }
  });

  it('names a fixture in the way: as the plan has it, and the contact that stopped the arm', async () => {
    const wall = { name: 'wall', position: { x: 0.42, y: -0.1, z: 0.05 } };
    const boxes = [{ size_m: { x: 0.3, y: 0.01, z: 0.25 } }];
    const cell = { ...TRAYS, fixtures: [...(TRAYS.fixtures ?? []), { ...wall, boxes }] };
    const { code, out } = await rehearsed('trays', PICK_AND_PLACE, { cell });
    expect(code).toBe(1);
    expect(out).toMatch(/problem: \/timeline\/\d+: .* into the fixture "wall" at \d\.\d\d s, at/);
    expect(out).toMatch(
      /problem: the run ended in the state error: .*; .* touched wall with \d+\.\d N at \d\.\d\d s in \/timeline\/\d+, at \(.*\) m\n/,
    );
  });

  it('runs one plant in a cell without objects, in which both compute the same', async () => {
    const { objects: _, ...empty } = TRAYS;
    const flags = { cell: empty, driver: 'default', json: true } as const;
    const { out } = await rehearsed('trays', PICK_AND_PLACE, flags);
    expect((JSON.parse(out) as ToolpathRehearsal[]).map(({ driver }) => driver)).toEqual(['fast']);
  });

  it('writes a page of the run alone, with its report, open at the failure', {
    tags: ['ci'],
  }, async () => {
    const html = join(mkdtempSync(join(tmpdir(), 'rehearse-')), 'page.html');
    const flags = { html, expect: { max_contact_force_n: 0.1 }, json: true };
    const { code, out } = await rehearsed('trays', PICK_AND_PLACE, flags);
    expect(code).toBe(1);
    const [{ report }] = JSON.parse(out) as [ToolpathRehearsal];
    const [, text = ''] = /id="armtwin-document">(.*?)<\/script>/s.exec(
      readFileSync(html, 'utf8'),
    )!;
    const shown = JSON.parse(text) as RecordingDocument;
    const [first] = report.contacts;
    expect([shown.opens_at_s, report.failed_s]).toEqual([first!.at_s, first!.at_s]);
    const { times_s } = shown.motion;
    expect(times_s[0]).toBe(0);
    // The joints come to rest within a tenth of a second after the last step.
    expect(times_s.at(-1)).toBeGreaterThanOrEqual(report.duration_s);
    expect(times_s.at(-1)).toBeLessThan(report.duration_s + 0.1);
    expect(shown.remarks.every(({ at_s }) => at_s >= 0)).toBe(true);
    const words = `load touched tray A with ${first!.peak_force_n.toFixed(1)} N`;
    expect(shown.remarks).toContainEqual({ at_s: first!.at_s, kind: 'log', words });
    expect(shown.report?.verdict).toMatch(/^not as expected, 8\.\d\d s$/);
    expect(shown.report?.findings).toEqual(report.problems);
    expect(shown.report?.facts[0]).toEqual(['Plant', 'fast, realism ideal']);
  });

  it('brings the arm to a home that is far away', async () => {
    const { code, out, err } = await rehearsed('trays', homeAt(1));
    expect([code, err]).toEqual([0, '']);
    // The run starts at the home; short of it, the rest of the way would come first.
    expect(out).toMatch(/^changed: as expected, 2\.3\d s\n/);
  });

  it('says why the arm does not reach the home', async () => {
    const { code, err } = await rehearsed('trays', homeAt(2));
    expect(code).toBe(2);
    expect(err).toMatch(
      /did not reach the home of the toolpath: the robot is in the state error: .*; \w+ touche[sd] /,
    );
  });

  it('refuses a file that is no toolpath', async () => {
    const { code, err } = await rehearsed('trays', 'fixtures/cells/trays.json');
    expect(code).toBe(2);
    expect(err).toMatch(/^fixtures\/cells\/trays\.json: .*metadata/);
  });

  it('names place and reason where a toolpath cannot be planned', async () => {
    const reaching = toolpathFile(({ waypoints, ...toolpath }) => ({
      ...toolpath,
      waypoints: waypoints.map((waypoint, i) =>
        i === 2 ? { ...waypoint, joints: [0, 9, 0, 0, 0, 0] } : waypoint,
      ),
    }));
    const { code, err } = await rehearsed('trays', reaching);
    expect([code, err]).toEqual([2, expect.stringMatching(/changed\.json: \/timeline\/2 The mot/)]);
    expect(err).not.toMatch(/answered|[{"]/);
  });

  it('rehearses the files of its shard, and the others when one cannot be used', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rehearse-'));
    writeFileSync(join(folder, 'a.json'), '{}');
    for (const name of ['b', 'c']) copyFileSync(PICK_AND_PLACE, join(folder, `${name}.json`));
    const shard = { index: 1, count: 2 };
    const junit = join(mkdtempSync(join(tmpdir(), 'rehearse-')), 'rehearse.xml');
    const { code, out, err } = await rehearsed('trays', folder, { shard, junit });
    expect(readFileSync(junit, 'utf8')).toMatch(/tests="2" failures="1".*can be rehearsed/s);
    expect([code, out.match(/^\w.*(?=,)/gm)]).toEqual([2, ['c: as expected']]);
    expect(err).toMatch(/^shard 1 of 2: 2 of 3 files\n.*a\.json: .*metadata/);
  });

  it('names files of one name by their folders, and a shard without files', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rehearse-'));
    const [one, other] = ['one', 'other'].map((name) => join(folder, name, 'same.json'));
    for (const path of [one!, other!]) {
      mkdirSync(dirname(path));
      writeFileSync(path, '{}');
    }
    const junit = join(folder, 'rehearse.xml');
    expect((await rehearsed('trays', [one!, other!], { junit })).code).toBe(2);
    const text = readFileSync(junit, 'utf8');
    for (const path of [one!, other!]) {
      expect(text).toContain(`classname="${path.replace('.json', '')}"`);
    }
    const none = await rehearsed('trays', [one!], { junit, shard: { index: 2, count: 2 } });
    expect(none.code).toBe(0);
    expect(readFileSync(junit, 'utf8')).toMatch(
      /tests="1" .*skipped="1".*this shard has no files/s,
    );
  });

  it('fails where there is nothing to rehearse', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rehearse-'));
    const { code, err } = await rehearsed('trays', folder);
    expect([code, err]).toEqual([2, `no toolpath files (*.json, *.act) in: ${folder}\n`]);
  });

  it('leaves no result of a run that is refused, and an older one as it is', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rehearse-'));
    const [junit, html, link] = ['new.xml', 'old.html', 'link.xml'].map((name) =>
      join(folder, name),
    ) as [string, string, string];
    writeFileSync(html, 'a page');
    symlinkSync(join(folder, 'target.xml'), link);
    const refused = { expect: { press: ['no such'] } };
    for (const flags of [{ junit, html }, { junit: link }]) {
      const { code } = await rehearsed('trays', PICK_AND_PLACE, { ...refused, ...flags });
      expect(code).toBe(2);
    }
    expect(readdirSync(folder).toSorted()).toEqual(['link.xml', 'old.html']);
    expect(readFileSync(html, 'utf8')).toBe('a page');
  });

  it.each(['html', 'junit'] as const)('refuses an --%s before the run', async (name) => {
    const folder = join(mkdtempSync(join(tmpdir(), 'rehearse-')), 'absent');
    await expect(
      rehearsed('trays', PICK_AND_PLACE, { [name]: join(folder, 'page') }),
    ).rejects.toThrow(`--${name} cannot be written: The folder ${folder} does not exist`);
  });

  it('takes a fixture for the nests on it, and states the distance asked for', {
    tags: ['slow'],
  }, async () => {
    const on = { objects: [{ object: 'part 1', at: 'tray B' }] };
    expect((await rehearsed('trays', PICK_AND_PLACE, { expect: on })).code).toBe(0);
    const near = { objects: [{ object: 'part 1', at: 'B1', within_mm: 0 }] };
    const { out } = await rehearsed('trays', PICK_AND_PLACE, { expect: near });
    expect(out).toMatch(/problem: part 1 is resting at B1, \(.*\) m, not within 0 mm of B1/);
  });
});

/** Events of a part, one each 0.1 s. */
function eventsOf(...kinds: readonly (readonly [CellEvent['kind'], string?])[]): RehearsedEvent[] {
  const [position, orientation] = [
    { x: 0, y: 0, z: 0 },
    { w: 1, x: 0, y: 0, z: 0 },
  ];
  const part = { object: 'part', by: 'gripper', at: null, position, orientation, step: null };
  return kinds.map(([kind, text = kind], i) => {
    return { ...part, id: i + 1, kind, at_s: i / 10, tick: 25 * i, text };
  });
}

it('signals that change in one tick are expected in either order', () => {
  const output = { output: 'ee_d0', value: false } as const;
  const input = { input: 'd2', value: false } as const;
  const [first, then, late] = [
    { ...input, tick: 5 },
    { ...output, tick: 5 },
    { ...input, tick: 9 },
  ];
  expect(missingSignal([output, input], [first, then])).toBe(null);
  expect(missingSignal([input, output], [first, then])).toBe(null);
  expect(missingSignal([input, output], [then, late])).toBe('output ee_d0 off');
  expect(missingSignal([output, input, input], [first, then])).toBe('input d2 off');
  expect(missingSignal([input, output, input], [first, then, late])).toBe(null);
});

const mishapTexts = (events: readonly RehearsedEvent[]) =>
  mishapProblems(events).map(({ text }) => text);

describe('the summary of a run', () => {
  it('has only what a gripper let go as placed, and the rest once as moved', () => {
    const times = ({ placed, moved }: ReturnType<typeof restsOf>) =>
      [placed, moved].map((events) => events.map(({ at_s }) => at_s));
    const pushed = eventsOf(['settled'], ['settled']);
    expect(times(restsOf(pushed))).toEqual([[], [0.1]]);
    const carried = eventsOf(['grasped'], ['released'], ['settled'], ['settled'], ['tipped']);
    expect(times(restsOf(carried))).toEqual([[0.2], [0.4]]);
    expect(times(restsOf(eventsOf(['grasped'], ['dropped'], ['settled'])))).toEqual([[], [0.2]]);
    expect(times(restsOf(eventsOf(['grasped'], ['dropped'], ['tipped'])))).toEqual([[], [0.2]]);
    expect(times(restsOf(eventsOf(['released'], ['dropped'], ['settled'])))).toEqual([[], [0.2]]);
    expect(times(restsOf(eventsOf(['carried'], ['settled'])))).toEqual([[0.1], []]);
    expect(times(restsOf(eventsOf(['carried'], ['fell_off'], ['settled'])))).toEqual([[], [0.2]]);
    // What falls over once it is let go is moved, and so is what lands far below.
    expect(times(restsOf(eventsOf(['released'], ['tipped'])))).toEqual([[], [0.1]]);
    const [letGo, landed] = eventsOf(['released'], ['settled']);
    const fallen = restsOf([{ ...letGo!, position: { x: 0, y: 0, z: 0.142 } }, landed!]);
    expect(times(fallen)).toEqual([[], [0.1]]);
    expect(fallen.moved[0]!.fall_m).toBeCloseTo(0.142, 9);
    const again = eventsOf(['released'], ['grasped'], ['settled'], ['released'], ['settled']);
    expect(times(restsOf(again))).toEqual([[0.4], [0.2]]);
  });

  it('counts a mishap that happens again as one problem, until the next grasp', () => {
    const slips = eventsOf(['slipped', '3 N'], ['slipped', '2 N'], ['jammed'], ['slipped', '4 N']);
    expect(mishapTexts(slips)).toEqual(['3 N; 3 times from 0.00 s to 0.30 s', 'jammed at 0.20 s']);
    const grasps = eventsOf(
      ['slipped'],
      ['grasped'],
      ['slipped'],
      ['missed', 'a'],
      ['missed', 'b'],
    );
    expect(mishapTexts(grasps)).toEqual([
      ...['slipped at 0.00 s', 'slipped at 0.20 s', 'a at 0.30 s', 'b at 0.40 s'],
    ]);
  });

  it('shows a part that the gripper pushed as moved', { tags: ['slow'] }, async () => {
    // The open jaws are around the part, and turn with it.
    const turned = [-0.45, -0.1513, -2.1669, 0, -0.8234, -0.5191] as const;
    const push = toolpathFile(({ timeline, waypoints, ...toolpath }) => ({
      ...toolpath,
      waypoints: [...waypoints, { label_id: 6, joints: [...turned] }],
      timeline: [
        ...timeline.slice(0, 3),
        { type: 'trajectory', trajectory: 'joint_space', waypoint_id: 5, max_speed: 0.05 },
      ],
    }));
    const { out } = await rehearsed('trays', push);
    expect(out).toMatch(/picked +nothing\n +placed +nothing\n +moved +part 1 .*\(\d\.\d\d s.*\)\n/);
  });
});

describe('shareInterval', () => {
  it('is the interval of Wilson', () => {
    // Newcombe, Statistics in Medicine 17 (1998), table I: 81 of 263, 15 of 148.
    const rounded = (count: number, total: number) =>
      shareInterval(count, total).map((share) => Number(share.toFixed(4)));
    expect(rounded(81, 263)).toEqual([0.2553, 0.3662]);
    expect(rounded(15, 148)).toEqual([0.0624, 0.1605]);
  });
});
