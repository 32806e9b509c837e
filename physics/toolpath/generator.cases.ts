/**
 * Test code: random valid toolpaths, for the tests of check, build and planner. Poses stay near one
 * free pose, so that most joint-space motions can be planned.
 */
import fc from 'fast-check';
import type {
  Action,
  IfAction,
  InputCondition,
  Joints,
  Timeline,
  Toolpath,
  WaitCondition,
} from '../../contract/types.generated.ts';
import { createFrames, FLANGE_FRAME, FRAME_SIZE, forward } from '../kinematics/forward.ts';

/** A free pose, elbow up, the tool pointing down in front of the base. */
const HOME: Joints = [0, 0.4, -1.6, 0, -1.1, 0];
const GRID_FAR: Joints = [0, 0.3, -1.6, 0, -1.2, 0];
/** Half the angle between w0 and wy about the base. */
const GRID_TURN_RAD = 0.15;

/** Distance of the flange from the base's axis for an arm in its own plane (m). */
function radiusOf(joints: Joints): number {
  const frames = createFrames();
  forward([0, ...joints.slice(1)], frames);
  return frames[FLANGE_FRAME * FRAME_SIZE + 9]!;
}

/**
 * Corners of a grid whose edges are perpendicular: w0 and wy mirror each other about the arm's
 * plane at angle `middle` (rad), wx lies in the plane through w0 across that edge. Holds for tools
 * along the flange's axis with `radius` the tool point's distance from the base's axis.
 */
export function gridCorners(
  middle: number,
  radius: (joints: Joints) => number = radiusOf,
): { w0: Joints; wx: Joints; wy: Joints } {
  const near = radius(HOME);
  const far = radius(GRID_FAR);
  const turn = Math.asin((near * Math.sin(GRID_TURN_RAD)) / far);
  const turned = (joints: Joints, angle: number): Joints => [angle, ...joints.slice(1)] as Joints;
  return {
    w0: turned(HOME, middle - GRID_TURN_RAD),
    wx: turned(GRID_FAR, middle - turn),
    wy: turned(HOME, middle + GRID_TURN_RAD),
  };
}

const share = fc.double({ min: -1, max: 1, noNaN: true });
const nearHome = fc
  .tuple(share, share, share, share, share, share)
  .map((shares) => HOME.map((angle, j) => angle + 0.2 * shares[j]!) as Joints);

const seconds = fc.double({ min: 0.001, max: 100, noNaN: true });
const speed = fc.double({ min: 0.01, max: 1.5, noNaN: true });
const analogLine = { location: 'base', type: 'analog', index: 0 } as const;

const digitalTest: fc.Arbitrary<InputCondition> = fc.record({
  type: fc.constant('input' as const),
  io: fc.record({
    location: fc.constantFrom('base' as const, 'end_effector' as const),
    type: fc.constant('digital' as const),
    index: fc.integer({ min: 0, max: 1 }),
  }),
  value: fc.boolean(),
});

const analogTest: fc.Arbitrary<InputCondition> = fc
  .tuple(
    fc.constantFrom('below' as const, 'above' as const, 'inside' as const, 'outside' as const),
    fc.double({ min: 0, max: 5, noNaN: true }),
  )
  .map(([operator, lower]) => ({
    type: 'input',
    io: analogLine,
    operator,
    thresholds: {
      ...(operator === 'above' ? {} : { lower }),
      ...(operator === 'below' ? {} : { upper: lower + 1 }),
    },
  }));

const ioTest = fc.oneof(digitalTest, analogTest);

const waitCondition: fc.Arbitrary<WaitCondition> = fc.oneof(
  ioTest,
  seconds.map((duration) => ({ type: 'time' as const, duration })),
);

const output: fc.Arbitrary<Action> = fc.oneof(
  fc.record({
    type: fc.constant('output-set' as const),
    io: fc.constant({ location: 'base', type: 'digital', index: 3 } as const),
    value: fc.boolean(),
  }),
  fc.record({
    type: fc.constant('output-set' as const),
    io: fc.constant(analogLine),
    value: fc.double({ min: 0, max: 10, noNaN: true }),
  }),
);

const timing = fc.oneof(
  fc.constant({}),
  seconds.map((time) => ({ time: time + 5 })),
  speed.map((max_speed) => ({ max_speed })),
);

function move(waypoints: number): fc.Arbitrary<Action> {
  return fc.tuple(fc.nat(waypoints - 1), timing).map(([waypoint_id, how]) => ({
    type: 'trajectory',
    trajectory: 'joint_space',
    waypoint_id,
    ...how,
  }));
}

/** Waypoint 0 is home, 1 to 3 are the corners of the grids, the others are near home. */
function simple(waypoints: number): fc.Arbitrary<Action> {
  const wait = waitCondition.map((condition): Action => ({ type: 'wait', condition }));
  return fc.oneof(move(waypoints), move(waypoints), output, wait);
}

function gridOf(inner: fc.Arbitrary<Timeline>): fc.Arbitrary<Action> {
  const size = fc.integer({ min: 1, max: 3 });
  return fc.tuple(size, size, inner).map(([cols, rows, timeline]) => ({
    type: 'grid',
    cols,
    rows,
    w0: 1,
    wx: 2,
    wy: 3,
    timeline: [{ type: 'grid-waypoint', z_offset: 0.01 }, ...timeline],
  }));
}

const returnHome: Timeline = [
  { type: 'trajectory', trajectory: 'joint_space', waypoint_id: 0 },
  { type: 'restart' },
];

function ifOf(inner: fc.Arbitrary<Timeline>): fc.Arbitrary<IfAction> {
  const branch = fc.tuple(ioTest, inner, fc.boolean()).map(([condition, timeline, restarts]) => ({
    condition,
    timeline: restarts ? [...timeline, ...returnHome] : timeline,
  }));
  return fc
    .array(branch, { minLength: 1, maxLength: 2 })
    .map((branches) => ({ type: 'if', branches }));
}

function timelineOf(waypoints: number, depth: number): fc.Arbitrary<Timeline> {
  const plain = simple(waypoints);
  if (depth === 0) return fc.array(plain, { maxLength: 3 });
  const inner = timelineOf(waypoints, depth - 1);
  const call = fc.nat(1).map((i): Action => ({ type: 'call-routine', routine: `routine ${i}` }));
  const action = fc.oneof(plain, plain, gridOf(inner), ifOf(inner), call);
  return fc.array(action, { maxLength: 5 });
}

/** Two routines of which the second may call the first. */
function routinesOf(waypoints: number): fc.Arbitrary<Toolpath['routines']> {
  const plain = fc.array(simple(waypoints), { maxLength: 3 });
  return fc.tuple(plain, plain, fc.boolean()).map(([first, second, calls]) => [
    { name: 'routine 0', timeline: first },
    {
      name: 'routine 1',
      timeline: calls ? [...second, { type: 'call-routine', name: 'routine 0' }] : second,
    },
  ]);
}

function assemble(
  joints: readonly Joints[],
  timeline: Timeline,
  routines: Toolpath['routines'],
): Toolpath {
  const poses = [HOME, ...Object.values(gridCorners(0)), ...joints];
  return {
    metadata: {
      version: 2,
      default_max_speed: 0.25,
      payload: 0,
      next_label_id: poses.length + 1,
      analog_modes: { i0: 'voltage', i1: 'voltage', o0: 'voltage', o1: 'voltage' },
    },
    waypoints: poses.map((pose, i) => ({ label_id: i + 1, joints: pose })),
    timeline: [{ type: 'home', waypoint_id: 0 }, ...timeline],
    routines: routines ?? [],
  };
}

/** A toolpath without any fault of the check. */
export function validToolpath(): fc.Arbitrary<Toolpath> {
  return fc.array(nearHome, { minLength: 1, maxLength: 4 }).chain((joints) => {
    const waypoints = 4 + joints.length;
    return fc
      .tuple(timelineOf(waypoints, 2), routinesOf(waypoints))
      .map(([timeline, routines]) => assemble(joints, timeline, routines));
  });
}

/** The smallest toolpath that the generator makes. */
export function plainToolpath(): Toolpath {
  return assemble(
    [],
    [{ type: 'trajectory', trajectory: 'joint_space', waypoint_id: 1 }],
    [
      { name: 'routine 0', timeline: [] },
      { name: 'routine 1', timeline: [] },
    ],
  );
}
