/** Problems of a toolpath in the words and units of the forms. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Toolpath } from '../../contract/types.generated.ts';
import { findingText, problemText } from './problem-text.ts';
import { shapeProblems } from './shape-check.ts';

const SORTER = JSON.parse(
  readFileSync(new URL('../../fixtures/toolpaths/sorter.json', import.meta.url), 'utf8'),
) as Toolpath;
const ZONE = {
  name: 'Fixture',
  position: { x: 20_000, y: 0, z: 0 },
  orientation: { x: 0, y: 0, z: 0, w: 1 },
  dimensions: { x: 0.1, y: 0.1, z: 0.1 },
  avoid: 'inside' as const,
};

it('names the zone and its field, in mm', () => {
  const metadata = { ...SORTER.metadata, avoidance_zones: [ZONE] };
  const toolpath = { ...SORTER, metadata };
  const [problem] = shapeProblems('Toolpath', toolpath);
  expect(problem).toEqual({
    path: '/metadata/avoidance_zones/0/position/x',
    problem: 'must be at most 10000',
  });
  expect(problemText(problem!, toolpath)).toEqual({
    text: 'Zone “Fixture”, corner x, must be at most 10,000,000 mm.',
    place: { kind: 'zone', index: 0 },
  });
  expect(problemText(problem!, null).text).toMatch(/^Zone 1, corner x, /);
});

it.each([
  ['/timeline', 'must have a home action', 'The program must have a home action.'],
  ['/timeline/0/max_speed', 'must be above 0', 'Step 1, speed, must be above 0 mm/s.'],
  [
    '/timeline/1',
    'must not be: the first is /timeline/0',
    'Step 2 must not be: the first is step 1.',
  ],
  ['/metadata/payload', 'must be at most 1.25', 'The toolpath, payload, must be at most 1.25.'],
  [
    '/metadata/tcp_config/radius',
    'must be at least 0',
    'The toolpath, tool radius, must be at least 0 mm.',
  ],
  ['', 'must be object', 'The toolpath must be object.'],
])('says of %s %s: %s', (path, problem, text) => {
  expect(problemText({ path, problem }, SORTER).text).toBe(text);
});

const GONE = 'names waypoint 99, which does not exist: waypoints has 0 to 8, by place';
it.each([
  ['/timeline/2/waypoint_id', 'Step 3 of the timeline'],
  ['/timeline/3/timeline/0/wx', 'Step 4 of the timeline'],
  ['/routines/1/timeline/0/waypoint_id', 'Step 1 of routine 2'],
])('says of a broken reference at %s where it is', (path, step) => {
  const text = 'names waypoint 99, which the toolpath does not have.';
  expect(problemText({ path, problem: GONE }, null).text).toBe(`${step} ${text}`);
  expect(problemText({ path: '/timeline/0/waypoint_id', problem: GONE }, SORTER).text).toBe(
    `Step 1 ${text}`,
  );
});

it('says of a missing routine what the step does', () => {
  const problem = "names the routine 'gone', which does not exist in routines";
  expect(problemText({ path: '/timeline/6/routine', problem }, null).text).toBe(
    'Step 7 of the timeline calls routine “gone”, which the toolpath does not have.',
  );
});

it('has the angles of a finding in degrees', () => {
  const message =
    'J6 would be at 9.0000 rad; its limits are -3.1241 to 3.1241 rad. Move the waypoint.';
  expect(findingText(message)).toBe(
    'J6 would be at 515.7°; its limits are −179.0° to 179.0°. Move the waypoint.',
  );
});

it('keeps an angle and its limit apart where they are close', () => {
  const message = 'J1 would be at 3.124140 rad; its limits are -3.124139 to 3.124139 rad.';
  expect(findingText(message)).toBe(
    'J1 would be at 179.00004°; its limits are −178.99998° to 178.99998°.',
  );
});

it('leads to the step', () => {
  const problem = { path: '/timeline/1/condition', problem: 'is not valid' };
  expect(problemText(problem, SORTER).place).toEqual({ kind: 'step', at: '/timeline/1' });
});
