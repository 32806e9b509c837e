/** Findings with a remedy: the deepest point, and edits after which the toolpath builds. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type {
  Action,
  AvoidanceZone,
  Joints,
  Toolpath,
  Vector,
} from '../../contract/types.generated.ts';
import { openToolpath } from './open-toolpath.ts';
import { remediesFor } from './remedies.ts';

const PLAIN = JSON.parse(
  readFileSync(new URL('../../fixtures/toolpaths/pick-and-place.json', import.meta.url), 'utf8'),
) as Toolpath;

function zone(position: Vector, edge_m: number): AvoidanceZone {
  return {
    ...{ name: 'Crate', avoid: 'inside', orientation: { w: 1, x: 0, y: 0, z: 0 } },
    position,
    dimensions: { x: edge_m, y: edge_m, z: edge_m },
  };
}

function withZone(one: AvoidanceZone): Toolpath {
  return { ...PLAIN, metadata: { ...PLAIN.metadata, avoidance_zones: [one] } };
}

function opened(toolpath: Toolpath) {
  const outcome = openToolpath(JSON.stringify(toolpath));
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.error));
  return outcome.value.preview;
}

const errors = (toolpath: Toolpath) =>
  opened(toolpath).findings.filter(({ kind }) => kind === 'error');

/** The tool point in the middle of the move to a step of the free toolpath. */
function middleOf(at: string): Vector {
  const path = opened(PLAIN).path({});
  const segment = path.segments.findIndex((one) => one.at === at);
  const { samples } = path;
  const own = [...samples.segmentIndex.keys()].filter((i) => samples.segmentIndex[i] === segment);
  const i = own[Math.floor(own.length / 2)]! * 3;
  return { x: samples.tips[i]!, y: samples.tips[i + 1]!, z: samples.tips[i + 2]! };
}

describe.each(['/timeline/6', '/timeline/10'])('a zone in the way of %s', (at) => {
  const edge_m = 0.06;
  const { x, y, z } = middleOf(at);
  const corner = { x: x - edge_m / 2, y: y - edge_m / 2, z: z - edge_m / 2 };
  const toolpath = withZone(zone(corner, edge_m));
  const [finding] = errors(toolpath);
  const reply = remediesFor(JSON.stringify(toolpath), finding!);

  it('says where the collision is deepest, and between what', () => {
    expect(finding!.code).toBe('object_collision');
    expect(reply.deepest).toMatchObject({ b: 'Crate', a: expect.stringMatching(/tool|link/) });
    expect(reply.deepest!.depth_m).toBeGreaterThan(0.005);
    expect(reply.deepest!.at_s).toBeGreaterThan(0);
  });

  it('offers edits after which the toolpath builds with fewer errors', () => {
    expect(reply.remedies.length).toBeGreaterThan(0);
    for (const remedy of reply.remedies) {
      expect(errors(remedy.toolpath).length).toBeLessThan(errors(toolpath).length);
      expect(remedy.path.duration_s).toBeGreaterThan(0);
    }
  });
});

/** What is offered for the first error. */
function offered(toolpath: Toolpath) {
  const finding = opened(toolpath).findings.find(({ kind }) => kind === 'error')!;
  return { finding, ...remediesFor(JSON.stringify(toolpath), finding) };
}

/** The toolpath with another action at a place of its timeline. */
function withAction(index: number, change: (action: Action) => Action): Toolpath {
  const timeline = PLAIN.timeline.map((one, i) => (i === index ? change(one) : one));
  return { ...PLAIN, timeline };
}

describe('an error that is no collision', () => {
  it('is removed by a joint in its range', () => {
    const { waypoint_id } = PLAIN.timeline[6] as { readonly waypoint_id: number };
    const waypoints = PLAIN.waypoints.map((one, i) => {
      if (i !== waypoint_id) return one;
      const [a, b, c, d, e] = one.joints;
      return { ...one, joints: [a, b, c, d, e, 6.5] as Joints };
    });
    const { finding, remedies, why } = offered({ ...PLAIN, waypoints });
    expect(finding.code).toBe('j5_boundary_limit');
    expect(why).toBe('');
    expect(remedies.map(({ label }) => label)).toContainEqual(
      expect.stringMatching(/^Bring J6 of “.*” into range$/),
    );
  });

  it('is removed by leaving out a time that is too short', () => {
    const toolpath = withAction(6, (action) => ({ ...action, time: 0.01 }) as Action);
    const { finding, remedies } = offered(toolpath);
    expect(finding.code).toBe('time_too_short');
    expect(remedies.map(({ label }) => label)).toContain(
      'Let the move take the time that it needs',
    );
  });
});

it('says why it has nothing to offer', () => {
  const finding = { kind: 'error', code: 'reach_limit', message: '', at: '/timeline/0' } as const;
  const text = JSON.stringify(PLAIN);
  const { deepest, remedies, why } = remediesFor(text, { ...finding, choices: {}, tip_m: null });
  expect({ deepest, remedies }).toEqual({ deepest: null, remedies: [] });
  expect(why).toBe(
    'No simple edit is known for an error of this kind: change the move or its waypoint by hand.',
  );
});
