import { createRequire } from 'node:module';
import standalone from 'ajv/dist/standalone/index.js';
import { describe, expect, it } from 'vitest';
import { limits } from './limits.ts';
import { MOTION_ERRORS } from './motion-errors.ts';
import type { Problem } from './problem.ts';
import { ROBOT_STATES } from './robot-states.ts';
import type { Dialect } from './routes.ts';
import { SCHEMA_IDS, type SchemaId, schemaAddress, schemaOf } from './schemas.ts';
import { createCompiler, validate } from './validator.ts';

const joints = [0, 0.5, -1.7, 0, -1.2, 0];
const modes = { i0: 'voltage', i1: 'voltage', o0: 'current', o1: 'voltage' };
const metadata = {
  version: 2,
  default_max_speed: 0.25,
  next_label_id: 2,
  payload: 0,
  analog_modes: modes,
};

function toolpath(timeline: readonly unknown[], more: object = {}): object {
  return { metadata: { ...metadata, ...more }, waypoints: [{ label_id: 1, joints }], timeline };
}

function problems(id: SchemaId, value: unknown, dialect: Dialect = 'documented') {
  const result = validate(id, value, { dialect });
  return result.ok ? [] : [...result.error];
}

function at(path: string, list: readonly Problem[]): string {
  return list.find((entry) => entry.path === path)?.problem ?? `no problem at ${path}`;
}

describe('every schema', () => {
  it.each(SCHEMA_IDS)('%s compiles', (id) => {
    expect(() => validate(id, null, { dialect: 'documented' })).not.toThrow();
  });

  it.each(SCHEMA_IDS)('%s accepts its own examples', (id) => {
    for (const example of schemaOf(id).examples ?? []) expect(problems(id, example)).toEqual([]);
  });

  it('of an object refuses unknown fields, except old toolpaths, workflows and results', () => {
    const open = SCHEMA_IDS.filter((id) => {
      const schema = schemaOf(id);
      return schema.type === 'object' && !schema.oneOf && schema.additionalProperties !== false;
    });
    expect(open).toEqual(['OldToolpath', 'WorkflowDocument', 'DataOutputs', 'TemplateStep']);
  });

  it('lists every motion error and every robot state', () => {
    expect(schemaOf('MotionErrorCode').enum).toEqual([...MOTION_ERRORS]);
    expect(schemaOf('RobotStateName').enum).toEqual([...ROBOT_STATES]);
  });
});

describe('problems', () => {
  it('name the missing field by its path', () => {
    expect(at('/joints', problems('GoToBody', { mode: 'teach' }))).toContain('missing');
  });

  it('name the unknown field and the known ones', () => {
    const list = problems('RunBody', { mode: 'teach', loop: 0, loops: 1 });
    expect(list).toEqual([
      { path: '/loops', problem: 'is not a known field; known fields: mode, loop' },
    ]);
  });

  it('state the number of joints', () => {
    const list = problems('GoToBody', { mode: 'teach', joints: [1, 2] });
    expect(at('/joints', list)).toBe('must have exactly 6 items, but has 2');
  });

  it('state the actual and the expected type', () => {
    const list = problems('GoToBody', { mode: 'fast', joints: [0, 0, 0, 0, 0, 'x'], time: 0 });
    expect(at('/mode', list)).toBe('must be one of "automatic", "teach"');
    expect(at('/joints/5', list)).toBe('must be number, but is string');
    expect(at('/time', list)).toBe('must be above 0');
  });

  it('report time together with max_speed once', () => {
    const body = { mode: 'teach', joints, time: 1, max_speed: 0.1 };
    expect(problems('GoToBody', body)).toEqual([
      { path: '', problem: 'must not give both time and max_speed: keep one of them' },
    ]);
  });

  it('say once what a value of several kinds may be', () => {
    for (const pace of ['fast', 0, null]) {
      expect(problems('ClockBody', { pace })).toEqual([
        { path: '/pace', problem: 'must be a number above 0 and at most 1000, or max, or stepped' },
      ]);
    }
  });

  it('point inside a timeline', () => {
    const path = toolpath([{ type: 'home', waypoint_id: 0 }, { type: 'wait' }]);
    expect(problems('Toolpath', path).map((entry) => entry.path)).toEqual([
      '/timeline/1/condition',
    ]);
  });

  it('validate an action only by its own type', () => {
    const path = toolpath([{ type: 'trajectory', waypoint_id: 0, trajectory: 'arc' }]);
    expect(problems('Toolpath', path)).toEqual([
      {
        path: '/timeline/0/trajectory',
        problem: 'must be one of "joint_space", "linear", "spline"',
      },
    ]);
  });

  it('refuse an unknown type of action', () => {
    const list = problems('Toolpath', toolpath([{ type: 'dance' }]));
    expect(at('/timeline/0', list)).toContain('a type that is one of "home"');
  });

  it('list at most a hundred', () => {
    const timeline = Array.from({ length: 300 }, () => ({ type: 'home' }));
    expect(problems('Toolpath', toolpath(timeline))).toHaveLength(100);
  });

  it('refuse numbers out of range', () => {
    const body: unknown = JSON.parse(`{"mode":"teach","joints":[0,0,0,0,0,1e999]}`);
    expect(at('/joints/5', problems('GoToBody', body))).not.toContain('no problem');
  });
});

describe('older toolpath formats', () => {
  const cases: readonly [string, object][] = [
    ['no version', { ...metadata, version: undefined, default_velocity: 0.5 }],
    ['version 1', { default_velocity: 0.5, next_label_id: 1, version: 1 }],
    ['version 3', { ...metadata, version: 3, shiny: true }],
  ];
  it.each(cases)('%s: one problem, which points to migrate', (_, old) => {
    const parsed: unknown = JSON.parse(
      JSON.stringify({ metadata: old, waypoints: [], timeline: [] }),
    );
    const list = problems('CalcToolpathBody', { toolpath: parsed });
    expect(list.map((entry) => entry.path)).toEqual(['/toolpath/metadata/version']);
    expect(list[0]?.problem).toContain('/api/v1/toolpath/migrate');
  });

  it('are accepted unchanged for migration', () => {
    const body = { toolpath: { metadata: { default_velocity: 0.5 }, anything: [null] } };
    expect(problems('MigrateToolpathBody', body)).toEqual([]);
  });
});

const END_DIGITAL = { location: 'end_effector', type: 'digital' };

describe('rules inside one object', () => {
  const refused: readonly [string, SchemaId, unknown][] = [
    ['all-zero quaternion', 'Quaternion', { w: 0, x: 0, y: 0, z: 0 }],
    ['end-effector digital 2', 'IoAddress', { ...END_DIGITAL, index: 2 }],
    ['end-effector digital 9, beyond all lines', 'IoAddress', { ...END_DIGITAL, index: 9 }],
    ['base analog 2', 'IoAddress', { location: 'base', type: 'analog', index: 2 }],
    ['negative dimension', 'Dimensions', { x: -1, y: 1, z: 1 }],
    ['a move without a kind', 'Action', { type: 'trajectory', waypoint_id: 0 }],
    ['a routine without a name', 'Action', { type: 'call-routine' }],
    ['an if that waits for time', 'TestCondition', { type: 'time', duration: 1 }],
    ['an empty label', 'Waypoint', { label_id: 1, joints, label: '' }],
    ['17 characters', 'Waypoint', { label_id: 1, joints, label: 'x'.repeat(17) }],
    [
      '11 zones',
      'AvoidanceZones',
      Array.from({ length: 11 }, () => schemaOf('AvoidanceZone').examples![0]),
    ],
    ['enabling without an end', 'SchedulerBody', { enabled: true, start_time: '08:00:00' }],
    ['disabling with times', 'SchedulerBody', { enabled: false, start_time: '08:00:00' }],
    ['24 o’clock', 'TimeOfDay', '24:00:00'],
    ['no sensitivity', 'CollisionDetectionBody', { enabled: true }],
    ['an empty change of a user', 'UpdateUserBody', {}],
    ['a payload too heavy', 'ToolpathMetadata', { ...metadata, payload: 1.26 }],
    ['a lock held by no user', 'LockStatus', { owner: 'none', status: 'locked' }],
    [
      'a good setpoint with an error',
      'TrajectorySetpoint',
      { result: 'success', joints, error: 'unknown' },
    ],
    ['a trajectory without anything', 'Trajectory', {}],
  ];
  it.each(refused)('refuse %s with one sentence', (_, id, value) => {
    expect(problems(id, value)).toHaveLength(1);
  });

  it('count characters, not code units, of a label', () => {
    const waypoint = (label: string) => problems('Waypoint', { label_id: 1, joints, label });
    expect(waypoint('🦾'.repeat(16))).toEqual([]);
    expect(waypoint('')).toEqual([{ path: '/label', problem: 'must not be empty' }]);
  });

  it('accept a passed waypoint without a trajectory type', () => {
    expect(problems('Action', { type: 'trajectory', waypoint_id: 0, pass_through: true })).toEqual(
      [],
    );
  });
});

describe('dialects', () => {
  const body = { mode: 'teach', joints, time: null, max_speed: 0.1, hurry: 1 };

  it('documented refuses null and unknown fields', () => {
    const paths = problems('GoToBody', body).map((entry) => entry.path);
    expect(paths.sort()).toEqual(['', '/hurry', '/time']);
  });

  it('fielded treats null as absent, drops unknown fields and lists them', () => {
    const result = validate('GoToBody', body, { dialect: 'fielded' });
    expect(result).toEqual({
      ok: true,
      value: { value: { mode: 'teach', joints, max_speed: 0.1 }, ignored: ['/hurry'] },
    });
    expect(body).toHaveProperty('hurry');
  });

  it('fielded reaches into tagged actions, arrays and references', () => {
    const path = toolpath([{ type: 'home', waypoint_id: 0, color: 'red', x: null }], {
      tcp_config: null,
    });
    const result = validate(
      'UseToolpathBody',
      { name: null, toolpath: path },
      { dialect: 'fielded' },
    );
    expect(result).toEqual({
      ok: true,
      value: {
        value: { toolpath: toolpath([{ type: 'home', waypoint_id: 0 }]) },
        ignored: ['/toolpath/timeline/0/color', '/toolpath/timeline/0/x'],
      },
    });
  });

  it('fielded still refuses null for a required field', () => {
    expect(at('/mode', problems('RunBody', { mode: null, loop: 1 }, 'fielded'))).toContain(
      'one of',
    );
  });

  it('fielded keeps an explicit null that the schema knows', () => {
    const tokens = [{ id: 1, name: 'a', created_at: '2020-01-01T00:00:00Z', last_used_at: null }];
    expect(validate('TokensReply', { tokens }, { dialect: 'fielded' })).toMatchObject({
      ok: true,
      value: { value: { tokens } },
    });
  });
});

describe('unsafe content', () => {
  function nested(levels: number): unknown {
    return JSON.parse('{"a":'.repeat(levels - 1) + '{}' + '}'.repeat(levels - 1));
  }

  it.each(['__proto__', 'constructor', 'prototype'])('the key %s, at any depth', (key) => {
    const body: unknown = JSON.parse(`{"toolpath":{"a":[{"${key}":{}}]}}`);
    for (const dialect of ['documented', 'fielded'] as const) {
      const list = problems('MigrateToolpathBody', body, dialect);
      expect(list.map((entry) => entry.path)).toEqual([`/toolpath/a/0/${key}`]);
    }
  });

  it('more than 64 levels', () => {
    expect(problems('OldToolpath', nested(64))).toEqual([]);
    expect(problems('OldToolpath', nested(65))[0]?.problem).toContain('64 levels');
    expect(problems('OldToolpath', nested(5000))[0]?.problem).toContain('64 levels');
  });
});

describe('a large body', () => {
  it.each(['{}', '[]', 'null', '1', '{"joints":0}'])('full of %s is refused quickly', (item) => {
    const count = Math.floor(limits.body_toolpath_bytes / (item.length + 1));
    const waypoints = JSON.parse(`[${Array.from({ length: count }, () => item).join(',')}]`);
    const start_ms = performance.now();
    const result = validate(
      'SaveToolpathBody',
      { name: 'x', toolpath: { waypoints } },
      { dialect: 'documented' },
    );
    // Listing the problems of each item takes minutes.
    expect(performance.now() - start_ms).toBeLessThan(5000);
    expect(result.ok || result.error.length).toBe(1);
  });
});

function checkAhead(id: SchemaId) {
  const ajv = createCompiler('all', true);
  const code = standalone.default(ajv, ajv.getSchema(schemaAddress(id))!);
  const module = { exports: (_: unknown): boolean => true };
  new Function('module', 'exports', 'require', code)(module, {}, createRequire(import.meta.url));
  return module.exports as ((value: unknown) => boolean) & { readonly errors?: unknown };
}

describe('a validator that the build compiles ahead', () => {
  const wrong: Partial<Record<SchemaId, unknown>> = {
    GoToBody: { mode: 'walk', joints: [0, 0, 'x'], speed: -1 },
    Cell: { name: '', objects: [{ name: 'a', shape: { kind: 'ball' }, position: {} }], more: 1 },
    AddFaultBody: { kind: 'joint', joint: 9, fault: 'none' },
  };

  it.each(Object.keys(wrong) as SchemaId[])('finds in a %s what the compiler finds', (id) => {
    const [ahead, now] = [checkAhead(id), createCompiler('all').getSchema(schemaAddress(id))!];
    for (const value of [null, [], {}, wrong[id], ...(schemaOf(id).examples ?? [])]) {
      expect(ahead(value)).toBe(now(value));
      expect(ahead.errors).toEqual(now.errors);
    }
  });
});
