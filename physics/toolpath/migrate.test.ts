import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Toolpath } from '../../contract/types.generated.ts';
import { validate } from '../../contract/validator.ts';
import { checkToolpath } from './check.ts';
import { validToolpath } from './generator.cases.ts';
import { type Migration, migrateToolpath, pathBeforeMigration } from './migrate.ts';

type Json = Record<string, unknown>;

const joints = [0, 0.4, -1.6, 0, -1.1, 0];
const modes = { i0: 'voltage', i1: 'voltage', o0: 'voltage', o1: 'voltage' };

/** A toolpath of format 1 with these actions after home. */
function old(timeline: unknown[], more: Json = {}): Json {
  return {
    metadata: { default_velocity: 0.5, next_label_id: 3, analog_modes: modes },
    waypoints: [
      { label_id: 1, joints },
      { label_id: 2, joints },
    ],
    timeline: [{ type: 'home', waypoint_id: 0 }, ...timeline],
    ...more,
  };
}

function migrated(toolpath: Json): Migration {
  const result = migrateToolpath(toolpath);
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

function timelineOf(toolpath: Json): Json[] {
  return migrated(toolpath).toolpath['timeline'] as Json[];
}

function metadataOf(toolpath: Json): Json {
  return migrated(toolpath).toolpath['metadata'] as Json;
}

const move = { type: 'trajectory', trajectory: 'joint_space', waypoint_id: 1 };
const wait = (duration: number) => ({ type: 'wait', condition: { type: 'time', duration } });

describe('the metadata', () => {
  it('gets version, speed and payload, and loses the velocity', () => {
    expect(metadataOf(old([]))).toEqual({
      version: 2,
      default_max_speed: 0.75,
      payload: 0,
      next_label_id: 3,
      analog_modes: modes,
    });
  });
  it('keeps an existing payload and fills missing analog modes with voltage', () => {
    const metadata = { default_velocity: 1, payload: 0.4, analog_modes: { o0: 'current' } };
    expect(metadataOf(old([], { metadata }))).toMatchObject({
      payload: 0.4,
      analog_modes: { ...modes, o0: 'current' },
    });
  });
  it('gets the slow speed, with a note, when no velocity is usable', () => {
    const without = old([], { metadata: { next_label_id: 3, version: 1 } });
    expect(metadataOf(without)).toMatchObject({ default_max_speed: 0.25, version: 2 });
    expect(migrated(without).breaking_changes).toHaveLength(1);
  });
});

describe('motions', () => {
  it('give 1.5 times the velocity as max_speed, with a note', () => {
    const toolpath = old([{ ...move, velocity: 0.1 }]);
    expect(timelineOf(toolpath)[1]).toEqual({ ...move, max_speed: 0.15 });
    expect(migrated(toolpath).breaking_changes[1]).toMatch(
      /^\/timeline\/1\/velocity: .*0\.15 m\/s/,
    );
  });
  it('lose a time of 0 and a velocity of 0, with a note each', () => {
    const toolpath = old([{ ...move, time: 0, velocity: 0 }]);
    expect(timelineOf(toolpath)[1]).toEqual(move);
    expect(migrated(toolpath).breaking_changes).toHaveLength(3);
  });
  it('keep another time', () => {
    expect(timelineOf(old([{ ...move, time: 4 }]))[1]).toEqual({ ...move, time: 4 });
  });
  it('are found in grids, branches and routines', () => {
    const inner = [{ type: 'grid-waypoint', z_offset: 0, velocity: 0.2 }];
    const condition = { type: 'input', io: {}, value: true };
    const toolpath = old(
      [
        { type: 'grid', timeline: inner },
        { type: 'if', branches: [{ condition, timeline: [{ ...move, velocity: 0.2 }] }] },
      ],
      { routines: [{ name: 'r', timeline: [{ ...move, velocity: 0.2 }] }] },
    );
    const { breaking_changes } = migrated(toolpath);
    expect(breaking_changes.map((note) => note.split(':')[0])).toEqual([
      '/metadata/default_velocity',
      '/timeline/1/timeline/0/velocity',
      '/timeline/2/branches/0/timeline/0/velocity',
      '/routines/0/timeline/0/velocity',
    ]);
  });
});

describe('waits and labels', () => {
  it('count in seconds, without a note', () => {
    expect(timelineOf(old([wait(1500)]))[1]).toEqual(wait(1.5));
    expect(migrated(old([wait(1500)])).breaking_changes).toHaveLength(1);
  });
  it('of 0 are removed, with a note that names the old position', () => {
    const toolpath = old([wait(0), wait(100), wait(0)]);
    expect(timelineOf(toolpath)).toEqual([{ type: 'home', waypoint_id: 0 }, wait(0.1)]);
    const places = migrated(toolpath).breaking_changes.map((note) => note.split(':')[0]);
    expect(places.slice(1)).toEqual(['/timeline/1', '/timeline/3']);
  });
  it('for inputs stay', () => {
    const input = { type: 'wait', condition: { type: 'input', io: {}, value: true } };
    expect(timelineOf(old([input]))[1]).toEqual(input);
  });
  it('that are empty are removed from waypoints, with a note', () => {
    const waypoints = [
      { label_id: 1, label: '', joints },
      { label_id: 2, label: 'kept', joints },
    ];
    const { toolpath, breaking_changes } = migrated(old([], { waypoints }));
    expect(toolpath['waypoints']).toEqual([{ label_id: 1, joints }, waypoints[1]]);
    expect(breaking_changes[1]).toContain('/waypoints/0/label');
  });
});

describe('formats', () => {
  it('2 comes back unchanged and without notes', () => {
    const latest = { ...old([wait(0)]), metadata: { version: 2 } };
    expect(migrated(latest)).toEqual({ toolpath: latest, breaking_changes: [] });
  });
  it.each([0, 3, '1', 1.5, null])('%s is rejected', (version) => {
    const result = migrateToolpath(old([], { metadata: { version } }));
    expect(result).toMatchObject({ ok: false, error: [{ path: '/metadata/version' }] });
  });
});

it('leaves what it does not understand to the check', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (json) => {
      const before = structuredClone(json);
      migrateToolpath(json);
      expect(json).toEqual(before);
    }),
    { numRuns: 200 },
  );
  expect(migrateToolpath({ timeline: [null, 4, { type: 'wait' }], waypoints: 'x' }).ok).toBe(true);
});

/** The same toolpath in format 1. */
function backwards(toolpath: Toolpath): Json {
  const json = JSON.parse(JSON.stringify(toolpath), (key, value: unknown) => {
    if (key === 'duration') return 1000 * Number(value);
    const isMotion = typeof value === 'object' && value !== null && 'max_speed' in value;
    if (!isMotion) return value;
    const { max_speed, ...others } = value as { max_speed: number };
    return { ...others, velocity: max_speed / 1.5 };
  }) as Json;
  const { version: _, default_max_speed, payload: __, ...metadata } = toolpath.metadata;
  return { ...json, metadata: { ...metadata, default_velocity: default_max_speed / 1.5 } };
}

it('migrates random old toolpaths to valid ones', () => {
  fc.assert(
    fc.property(validToolpath(), (toolpath) => {
      const { toolpath: found } = migrated(backwards(toolpath));
      const valid = validate('Toolpath', found, { dialect: 'documented' });
      expect(valid.ok).toBe(true);
      if (valid.ok) expect(checkToolpath(valid.value.value)).toEqual([]);
      expect(JSON.stringify(found['waypoints'])).toBe(JSON.stringify(toolpath.waypoints));
    }),
    { numRuns: 100 },
  );
});

describe('the pointer before migration', () => {
  const inner = [wait(0), move];
  const branches = [{ timeline: inner }];
  const toolpath = old([wait(0), { type: 'if', branches }, wait(0), wait(5)]);

  it.each([
    ['/timeline/0/type', '/timeline/0/type'],
    ['/timeline/1', '/timeline/2'],
    ['/timeline/1/branches/0/timeline/0/time', '/timeline/2/branches/0/timeline/1/time'],
    ['/timeline/2/condition', '/timeline/4/condition'],
    ['/waypoints/1/joints/0', '/waypoints/1/joints/0'],
    ['', ''],
  ])('of %s is %s, past what was left out', (now, before) => {
    expect(pathBeforeMigration(toolpath, now)).toBe(before);
  });
  it('maps positions beyond the end too', () => {
    expect(pathBeforeMigration({ timeline: 'x' }, '/timeline/3/type')).toBe('/timeline/3/type');
    expect(pathBeforeMigration(toolpath, '/timeline/9')).toBe('/timeline/9');
  });
});

it.each([
  ['payload', null],
  ['analog_modes', null],
  ['analog_modes', 'voltage'],
  ['default_max_speed', null],
])('leaves %s: %s for the check of the result', (name, value) => {
  expect(metadataOf(old([], { metadata: { next_label_id: 3, [name]: value } }))).toMatchObject({
    [name]: value,
  });
});

it.each([null, 'none', []])('leaves the metadata %j for the check of the result', (metadata) => {
  const result = migrateToolpath(old([], { metadata }));
  expect(result).toMatchObject({ ok: true, value: { toolpath: { metadata } } });
});
