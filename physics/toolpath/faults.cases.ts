/**
 * Test code: every fault of the toolpath check as a change to a valid toolpath, with the expected
 * pointers. The enumeration applies each to the smallest toolpath, the properties to random ones
 * (generator.cases.ts). The first routines of a toolpath must be `routine 0` and `routine 1`, its
 * waypoints 0 to 3 those of the generator.
 */
import fc from 'fast-check';
import type { Action, Joints, OutputCondition, Toolpath } from '../../contract/types.generated.ts';
import {
  analog,
  append,
  appendGrid,
  appendWait,
  type Break,
  digital,
  goAway,
  toolAnalog,
} from './fault-parts.cases.ts';
import { validToolpath } from './generator.cases.ts';
import { placementFaults, routineFaults } from './placement-faults.cases.ts';

function zones(count: number, change: object = {}) {
  return Array.from({ length: count }, (_, i) => ({
    name: `zone ${i}`,
    position: { x: 2, y: 2, z: 2 },
    orientation: { w: 1, x: 0, y: 0, z: 0 },
    dimensions: { x: 0.1, y: 0.1, z: 0.1 },
    avoid: 'inside' as const,
    ...change,
  }));
}

const waypointFaults: Record<string, Break> = {
  'an unknown waypoint in home': (toolpath) => {
    toolpath.timeline = toolpath.timeline.map((action) =>
      action.type === 'home' ? { ...action, waypoint_id: 9999 } : action,
    );
    for (const routine of toolpath.routines ?? []) routine.timeline = [];
    toolpath.timeline = toolpath.timeline.filter((action) => action.type === 'home');
    return '/timeline/0/waypoint_id';
  },
  'an unknown waypoint in a trajectory': (toolpath) => {
    const waypoint_id = toolpath.waypoints.length;
    return `${append(toolpath, { ...goAway, waypoint_id } as Action)}/waypoint_id`;
  },
  'an unknown waypoint to pass': (toolpath) => {
    const pass: Action = { type: 'trajectory', pass_through: true, waypoint_id: 9999 };
    return `${append(toolpath, pass)}/waypoint_id`;
  },
  'an unknown corner w0': (toolpath) => `${appendGrid(toolpath, { w0: 9999 })}/w0`,
  'an unknown corner wx': (toolpath) => `${appendGrid(toolpath, { wx: 9999 })}/wx`,
  'an unknown corner wy': (toolpath) => `${appendGrid(toolpath, { wy: 9999 })}/wy`,
  'a label_id twice': (toolpath) => {
    toolpath.waypoints[1]!.label_id = toolpath.waypoints[0]!.label_id;
    return '/waypoints/1/label_id';
  },
  'an empty label': (toolpath) => {
    toolpath.waypoints[2]!.label = '';
    return '/waypoints/2/label';
  },
  'a label of 17 characters': (toolpath) => {
    toolpath.waypoints[2]!.label = '😀'.repeat(17);
    return '/waypoints/2/label';
  },
  'too many waypoints': (toolpath) => {
    const joints: Joints = [0, 0, 0, 0, 0, 0];
    const more = Array.from({ length: 10_001 - toolpath.waypoints.length }, (_, i) => i);
    toolpath.waypoints.push(...more.map((i) => ({ label_id: 1000 + i, joints })));
    return '/waypoints';
  },
};

const gridFaults: Record<string, Break> = {
  'no columns': (toolpath) => `${appendGrid(toolpath, { cols: 0 })}/cols`,
  'no rows': (toolpath) => `${appendGrid(toolpath, { rows: 0 })}/rows`,
  'too many cells': (toolpath) => appendGrid(toolpath, { cols: 101, rows: 100 }),
  'edges that lean': (toolpath) => {
    const { joints } = toolpath.waypoints[2]!;
    const leaning = joints.with(0, joints[0]! + 0.05) as Joints;
    toolpath.waypoints.push({ label_id: 500, joints: leaning });
    return appendGrid(toolpath, { wx: toolpath.waypoints.length - 1 });
  },
  'a column corner on w0': (toolpath) => `${appendGrid(toolpath, { wx: 1 })}/wx`,
  'a row corner on w0': (toolpath) => `${appendGrid(toolpath, { wy: 1 })}/wy`,
};

const timingFaults: Record<string, Break> = {
  'time and max_speed in a trajectory': (toolpath) =>
    `${append(toolpath, { ...goAway, time: 9, max_speed: 1 } as Action)}/max_speed`,
  'time and max_speed in a grid-waypoint': (toolpath) => {
    const both: Action = { type: 'grid-waypoint', z_offset: 0, time: 9, max_speed: 1 };
    return `${appendGrid(toolpath, { timeline: [both] })}/timeline/0/max_speed`;
  },
};

const ioFaults: Record<string, Break> = {
  'an analog output of the tool': (toolpath) =>
    `${append(toolpath, { type: 'output-set', io: toolAnalog, value: 1 })}/io`,
  'a number for a digital output': (toolpath) =>
    `${append(toolpath, { type: 'output-set', io: digital, value: 1 })}/value`,
  'a boolean for an analog output': (toolpath) =>
    `${append(toolpath, { type: 'output-set', io: analog, value: true })}/value`,
  'a voltage out of range': (toolpath) =>
    `${append(toolpath, { type: 'output-set', io: analog, value: 10.1 })}/value`,
  'a current out of range': (toolpath) => {
    toolpath.metadata.analog_modes.o1 = 'current';
    return `${append(toolpath, { type: 'output-set', io: analog, value: 3.9 })}/value`;
  },
  'an analog output of the tool on errors': (toolpath) => {
    toolpath.metadata.output_on_error = { io: toolAnalog, value: 1 };
    return '/metadata/output_on_error/io';
  },
  'an operator on a digital input': (toolpath) => {
    const test = { type: 'input', io: digital, operator: 'equal', value: true };
    return `${appendWait(toolpath, test)}/operator`;
  },
  'no value for a digital input': (toolpath) =>
    `${appendWait(toolpath, { type: 'input', io: digital })}/value`,
  'no operator on an analog input': (toolpath) =>
    `${appendWait(toolpath, { type: 'input', io: analog, value: 1 })}/operator`,
  'no number to equal': (toolpath) =>
    `${appendWait(toolpath, { type: 'input', io: analog, operator: 'equal', value: true })}/value`,
  'no thresholds': (toolpath) =>
    `${appendWait(toolpath, { type: 'input', io: analog, operator: 'inside' })}/thresholds`,
  'inside without its upper threshold': (toolpath) => {
    const thresholds = { lower: 2 };
    const at = appendWait(toolpath, { type: 'input', io: analog, operator: 'inside', thresholds });
    return `${at}/thresholds/upper`;
  },
  'below without its lower threshold': (toolpath) => {
    const thresholds = { upper: 2 };
    const at = appendWait(toolpath, { type: 'input', io: analog, operator: 'below', thresholds });
    return `${at}/thresholds/lower`;
  },
  'above without its upper threshold': (toolpath) => {
    const thresholds = { lower: 2 };
    const at = appendWait(toolpath, { type: 'input', io: analog, operator: 'above', thresholds });
    return `${at}/thresholds/upper`;
  },
  'thresholds the wrong way round': (toolpath) => {
    const thresholds = { lower: 2, upper: 1 };
    const at = appendWait(toolpath, { type: 'input', io: analog, operator: 'below', thresholds });
    return `${at}/thresholds/upper`;
  },
  'thresholds that are equal': (toolpath) => {
    const thresholds = { lower: 2, upper: 2 };
    const at = appendWait(toolpath, {
      type: 'input',
      io: toolAnalog,
      operator: 'above',
      thresholds,
    });
    return `${at}/thresholds/upper`;
  },
  'a test of an analog output of the tool': (toolpath) => {
    const test: OutputCondition = {
      type: 'output-test',
      io: toolAnalog,
      operator: 'equal',
      value: 1,
    };
    return `${appendWait(toolpath, test)}/io`;
  },
  'a faulty condition of a branch': (toolpath) => {
    const condition = { type: 'output-test', io: digital, value: 2 } as const;
    const at = append(toolpath, { type: 'if', branches: [{ condition, timeline: [] }] });
    return `${at}/branches/0/condition/value`;
  },
};

const metadataFaults: Record<string, Break> = {
  'format 1': (toolpath) => {
    Object.assign(toolpath.metadata, { version: 1 });
    return '/metadata/version';
  },
  'no format': (toolpath) => {
    Object.assign(toolpath.metadata, { version: undefined });
    return '/metadata/version';
  },
  'format 3': (toolpath) => {
    Object.assign(toolpath.metadata, { version: 3 });
    return '/metadata/version';
  },
  'eleven zones': (toolpath) => {
    toolpath.metadata.avoidance_zones = zones(11);
    return '/metadata/avoidance_zones';
  },
  'a zone name twice': (toolpath) => {
    toolpath.metadata.avoidance_zones = zones(2, { name: 'same' });
    return '/metadata/avoidance_zones/1/name';
  },
  'a negative dimension': (toolpath) => {
    toolpath.metadata.avoidance_zones = zones(1, { dimensions: { x: 1, y: -0.1, z: 1 } });
    return '/metadata/avoidance_zones/0/dimensions/y';
  },
  'an orientation of zeros': (toolpath) => {
    toolpath.metadata.avoidance_zones = zones(1, { orientation: { w: 0, x: 0, y: 0, z: 0 } });
    return '/metadata/avoidance_zones/0/orientation';
  },
};

/** Every fault by name. */
export const FAULTS: Readonly<Record<string, Break>> = {
  ...placementFaults,
  ...waypointFaults,
  ...gridFaults,
  ...timingFaults,
  ...ioFaults,
  ...routineFaults,
  ...metadataFaults,
};

/** A toolpath with one fault, and the pointers at which it is reported. */
export interface FaultyToolpath {
  readonly toolpath: Toolpath;
  readonly fault: string;
  readonly paths: readonly string[];
}

/** A copy of a toolpath with a fault of this name. */
export function withFault(valid: Toolpath, fault: string): FaultyToolpath {
  const toolpath = structuredClone(valid);
  return { toolpath, fault, paths: [FAULTS[fault]!(toolpath)].flat() };
}

/** A valid toolpath with one fault applied. */
export function faultyToolpath(): fc.Arbitrary<FaultyToolpath> {
  return fc
    .tuple(validToolpath(), fc.constantFrom(...Object.keys(FAULTS)))
    .map(([valid, fault]) => withFault(valid, fault));
}
