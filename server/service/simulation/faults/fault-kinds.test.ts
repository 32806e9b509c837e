/** What each fault asks of its port, and what a twin without the port answers, without a twin. */

import { describe, expect, it } from 'vitest';
import type { ArmWorld } from '../../../../bridge/arm-world.ts';
import { createSimulatedArm } from '../../../../bridge/simulated/simulated-arm.ts';
import type { AddFaultBody } from '../../../../contract/types.generated.ts';
import { SOUND_GRIPPER } from '../../../../physics/cell/grippers/gripper-fault.ts';
import { createPrng } from '../../../../physics/math/prng.ts';
import type { Command } from '../../../robot/commands.ts';
import type { ControlLoop } from '../../../robot/loop.ts';
import { createMemory } from '../../../robot/memory.ts';
import type { WorldAction } from '../../../robot/world-actions.ts';
import { createDraw } from './draw.ts';
import { createFaultTable } from './fault-kinds.ts';
import { FaultList } from './fault-list.ts';
import type { FaultPorts } from './fault-ports.ts';
import { FaultRules } from './fault-rules.ts';
import { InjectedFaults } from './injected-faults.ts';
import type { ReplyFaults } from './reply-faults.ts';

const CELL = {
  model: {
    grippers: [
      { name: 'jaws', kind: 'jaws' },
      { name: 'cup', kind: 'suction' },
    ],
    bodies: [{ name: 'plate' }, { name: 'lid' }],
    sensors: [{ name: 'beam' }],
    belts: [{ name: 'belt' }],
  },
  // The cup holds the plate, and the lid lies where it cannot be moved.
  grippers: [
    { name: 'jaws', holds: null },
    { name: 'cup', holds: 0 },
  ],
  states: { isLoose: () => false },
};

/** A list of faults with ports that note what is asked of them. */
function createList({
  hasWorld = true,
  hasParts = true,
  accepts = true,
  cell = CELL as object,
  detects = true,
} = {}) {
  const actions: WorldAction[] = [];
  const commands: Command[] = [];
  const memory = createMemory();
  memory.io.stuck = { d1: true };
  memory.state = 'ready';
  memory.detection.enabled = detects;
  const loop: ControlLoop = {
    applyWorldAction: (action: WorldAction) => {
      if (accepts) actions.push(action);
      return accepts;
    },
    apply: (command: Command) => void commands.push(command),
  } as never;
  const world: ArmWorld = { cell } as never;
  const injected = new InjectedFaults();
  const replyFaults: ReplyFaults = new FaultRules();
  const ports: FaultPorts = {
    driverName: 'the driver',
    loop,
    world: hasWorld ? world : null,
    robot: { memory },
    injected: hasParts ? injected : null,
    replies: replyFaults,
    connections: new FaultRules(),
    users: { has: (user_id) => user_id === 1 },
  };
  const list = new FaultList(createFaultTable(ports));
  return { list, actions, commands, injected, replyFaults };
}

/** The actions of a fault and of its end. */
function actionsOf(fault: AddFaultBody) {
  const { list, actions } = createList();
  const added = list.add(fault);
  expect(added).toMatchObject({ id: 1, acted: 1 });
  const began = actions.splice(0);
  list.clearAll();
  return { began, ended: actions };
}

/** The row of the error table and the details of the refusal of a fault. */
function refusalOf(fault: AddFaultBody, missing: Parameters<typeof createList>[0] = {}) {
  const { list } = createList(missing);
  const added = list.add(fault);
  expect(list.list()).toEqual([]);
  return 'refused' in added ? [added.refused, added.details] : null;
}

const cellFault = (fault: object) => ({ kind: 'cell_fault', fault });

describe('faults of the arm', () => {
  it('act on a joint until they end', () => {
    const { began, ended } = actionsOf({ kind: 'driver', joint: 2, fault: 'bus' });
    expect(began).toEqual([{ kind: 'joint_fault', joint: 2, fault: 'bus' }]);
    expect(ended).toEqual([{ kind: 'joint_fault', joint: 2, fault: null }]);
  });

  it('make sensors noisy until they end', () => {
    const { began, ended } = actionsOf({ kind: 'sensor_noise', velocity_rad_s: 0.2, seed: 4 });
    const noise = { position_rad: 0, velocity_rad_s: 0.2, temperature_c: 0, seed: 4 };
    expect(began).toEqual([{ kind: 'noise', noise }]);
    expect(ended).toEqual([{ kind: 'noise', noise: null }]);
  });

  it('touch a joint once', () => {
    const { list, actions } = createList();
    expect(list.add({ kind: 'collision', joint: 3 })).toMatchObject({ acted: 1 });
    expect([actions, list.list()]).toEqual([[{ kind: 'contact', joint: 3 }], []]);
  });

  it('touch no joint while nothing detects it, unless detection is asked for', () => {
    const touch: AddFaultBody = { kind: 'collision', joint: 3 };
    expect(refusalOf(touch, { detects: false })).toEqual([
      'fault_cannot_act',
      expect.stringContaining('with_detection'),
    ]);
    const { list, actions, commands } = createList({ detects: false });
    list.add({ ...touch, with_detection: true });
    expect(commands).toEqual([{ kind: 'detect_collisions' }]);
    expect(actions).toEqual([{ kind: 'contact', joint: 3 }]);
  });

  it('add a stuck input to the others, and take it away again', () => {
    const { list, commands } = createList();
    list.add({ kind: 'stuck_input', input: 'd0' });
    list.clearAll();
    expect(commands).toEqual([
      { kind: 'stick_inputs', stuck: { d0: true, d1: true } },
      { kind: 'stick_inputs', stuck: { d1: true } },
    ]);
  });

  it.each([
    [{ kind: 'driver', joint: 2, fault: 'bus' }, 'does not support the fault bus'],
    [{ kind: 'collision', joint: 2 }, 'does not support injected collisions'],
    [{ kind: 'sensor_noise' }, 'does not support sensor noise'],
  ] as [AddFaultBody, string][])('are refused by a driver without them: %o', (fault, text) => {
    expect(refusalOf(fault, { accepts: false })).toEqual([
      'not_supported',
      `The driver the driver ${text}`,
    ]);
  });
});

describe('faults of the parts of a cell', () => {
  it.each([
    [{ gripper: 'jaws', fault: 'jammed' }, 0, { isJammed: true }],
    [{ gripper: 'jaws', fault: 'slips', after_s: 3 }, 0, { slipsAfter_s: 3 }],
    [{ gripper: 'cup', fault: 'slips' }, 1, { slipsAfter_s: 1 }],
    [{ gripper: 'cup', fault: 'leaks' }, 1, { leaksIn_s: 1 }],
    [{ gripper: 'cup', fault: 'leaks', after_s: 2 }, 1, { leaksIn_s: 2 }],
  ] as const)('a gripper: %o', (body, index, fault) => {
    const { began, ended } = actionsOf({ kind: 'gripper', ...body });
    const wanted = cellFault({ part: 'gripper', index, fault: { ...SOUND_GRIPPER, ...fault } });
    expect(began).toEqual([{ ...wanted, active: true }]);
    expect(ended).toEqual([{ ...wanted, active: false }]);
  });

  it.each([
    [{ fault: 'stuck' }, { isStuck: true, late_s: 0 }],
    [{ fault: 'late' }, { isStuck: false, late_s: 1 }],
    [
      { fault: 'late', late_s: 0.2 },
      { isStuck: false, late_s: 0.2 },
    ],
  ] as const)('a sensor: %o', (body, fault) => {
    const { began, ended } = actionsOf({ kind: 'sensor', sensor: 'beam', ...body });
    const wanted = cellFault({ part: 'sensor', index: 0, fault });
    expect(began).toEqual([{ ...wanted, active: true }]);
    expect(ended).toEqual([{ ...wanted, active: false }]);
  });

  it.each([
    [{ kind: 'conveyor', conveyor: 'belt' }, 'conveyor'],
    [{ kind: 'object', object: 'plate', fault: 'missing' }, 'object'],
  ] as [AddFaultBody, string][])('%o', (body, part) => {
    const { began, ended } = actionsOf(body);
    expect(began).toEqual([{ ...cellFault({ part, index: 0 }), active: true }]);
    expect(ended).toEqual([{ ...cellFault({ part, index: 0 }), active: false }]);
  });

  const unknown: readonly AddFaultBody[] = [
    { kind: 'gripper', gripper: 'no', fault: 'jammed' },
    { kind: 'object', object: 'no', fault: 'misplaced' },
    { kind: 'sensor', sensor: 'no', fault: 'stuck' },
    { kind: 'conveyor', conveyor: 'no' },
  ];
  it.each(unknown)('are refused for a part that the cell does not have: %o', (fault) => {
    const { kind } = fault;
    const problem = expect.stringContaining(`the cell has no ${kind} “no”: it has `);
    expect(refusalOf(fault)).toEqual(['invalid_arguments', [{ path: `/${kind}`, problem }]]);
    expect(refusalOf(fault, { hasWorld: false })).toEqual([
      'not_supported',
      'The driver the driver has no simulated world',
    ]);
  });

  it('are refused where they make no sense', () => {
    expect(refusalOf({ kind: 'gripper', gripper: 'jaws', fault: 'leaks' })).toEqual([
      'invalid_arguments',
      [{ path: '/fault', problem: 'must be “jammed” or “slips” for a gripper of the kind jaws' }],
    ]);
  });

  it.each([
    [{ kind: 'gripper', gripper: 'jaws', fault: 'jammed', after_s: 1 }, 'after_s', /“slips” or/],
    [{ kind: 'sensor', sensor: 'beam', fault: 'stuck', late_s: 1 }, 'late_s', /for “late” only/],
    [{ kind: 'object', object: 'plate', fault: 'missing', spread_mm: 1 }, 'spread_mm', /mispl/],
    [{ kind: 'object', object: 'plate', fault: 'missing', seed: 1 }, 'seed', /“misplaced” only/],
    [{ kind: 'stream', effect: 'drop', delay_s: 1 }, 'delay_s', /for “delay” only/],
    [{ kind: 'reply', path: '*', effect: 'drop', delay_s: 1 }, 'delay_s', /for “delay” only/],
    [{ kind: 'connection', effect: 'reset', delay_s: 1 }, 'delay_s', /for “slow” only/],
    [{ kind: 'connection', effect: 'slow' }, 'delay_s', /is required to slow/],
    [{ kind: 'connection', effect: 'reset', user_id: 2 }, 'user_id', /there is no user 2/],
  ] as [AddFaultBody, string, RegExp][])('are refused with a field of another: %o', (...row) => {
    const [fault, field, problem] = row;
    expect(refusalOf(fault)).toMatchObject([
      'invalid_arguments',
      [{ path: `/${field}`, problem: expect.stringMatching(problem) }],
    ]);
  });
});

describe('a misplaced object', () => {
  const SPREAD: AddFaultBody = { kind: 'object', object: 'part', fault: 'misplaced' };

  /** The plant of a cell with a part on the floor, and where the part lies. */
  async function plantOfPart() {
    const arm = createSimulatedArm({ plant: 'fast' });
    await arm.start();
    const size_m = { x: 0.04, y: 0.04, z: 0.04 };
    const position = { x: 0.5, y: 0.3, z: 0 };
    const shape = { kind: 'box', size_m } as const;
    arm.world.setCell({ name: 'c', objects: [{ name: 'part', position, mass_kg: 1, shape }] });
    const cell = arm.world.cell!;
    return { cell, x: cell.states.poses[0]!, y: cell.states.poses[1]! };
  }

  it.each([
    [{}, 0.01],
    [{ spread_mm: 2 }, 0.002],
    [{ spread_mm: 2, seed: 5 }, 0.002],
  ])('lies beside its place, within the spread: %o', async (fields, spread_m) => {
    const { cell, x, y } = await plantOfPart();
    const { list, actions } = createList({ cell });
    expect(list.add({ ...SPREAD, ...fields })).toMatchObject({ acted: 1 });
    expect(list.list()).toEqual([]);
    const frame = expect.any(Array);
    expect(actions).toEqual([{ kind: 'cell_move', object: 0, frame, misplaced: true }]);
    const offsets = actions.flatMap((action) =>
      action.kind === 'cell_move' ? [action.frame[0]! - x, action.frame[1]! - y] : [],
    );
    for (const offset of offsets) expect(Math.abs(offset)).toBeLessThanOrEqual(spread_m);
    expect(Math.hypot(...offsets)).toBeGreaterThan(spread_m / 100);
  });

  it.each([
    ['plate', '/object', 'is held by cup'],
    ['lid', '/spread_mm', 'leaves no free place for a loose object'],
  ])('cannot be one that has no other place: %s', (object, path, problem) => {
    const fault: AddFaultBody = { kind: 'object', object, fault: 'misplaced' };
    expect(refusalOf(fault)).toEqual(['invalid_arguments', [{ path, problem }]]);
  });
});

describe('faults of services', () => {
  const NEEDS_PARTS: readonly AddFaultBody[] = [
    { kind: 'update_failure' },
    { kind: 'slow_planner', delay_s: 1 },
    { kind: 'failing_planner' },
    { kind: 'disk_full' },
    { kind: 'stream', effect: 'drop' },
  ];
  it.each(NEEDS_PARTS)('are refused where the plain parts are composed: %o', (fault) => {
    expect(refusalOf(fault, { hasParts: false })).toEqual([
      'not_supported',
      'Only a simulated arm has this fault; this twin uses the driver',
    ]);
  });

  it('act at their own part, as often as they say', () => {
    const { list, injected } = createList();
    list.add({ kind: 'update_failure', times: 1 });
    expect([injected.installations.match(null), injected.installations.match(null)]).toEqual([
      'fails',
      null,
    ]);
    list.add({ kind: 'slow_planner', delay_s: 2, times: 1 });
    list.add({ kind: 'failing_planner', times: 1 });
    const plans = [1, 2, 3].map(() => injected.plans.match(null));
    expect(plans).toEqual([{ delay_s: 2, fails: false }, { delay_s: 0, fails: true }, null]);
    list.add({ kind: 'disk_full' });
    expect(() => injected.beforeCommit()).toThrow('No space is left on the disk');
    list.clearAll();
    expect(injected.beforeCommit()).toBe(undefined);
  });

  it('drop or delay the messages that are meant', () => {
    const { list, injected } = createList();
    list.add({ kind: 'stream', message: 'lock_status', effect: 'delay', delay_s: 0.5 });
    expect(injected.messages.match('state_change')).toBe(null);
    expect(injected.messages.match('lock_status')).toEqual({ delay_s: 0.5 });
    list.clearAll();
    list.add({ kind: 'stream', effect: 'drop' });
    expect(injected.messages.match('state_change')).toBe('drop');
  });

  it('drop or delay the replies of a path and a method', () => {
    const { list, replyFaults } = createList({ hasParts: false });
    list.add({ kind: 'reply', path: '/api/*', method: 'GET', effect: 'drop' });
    const call = { method: 'GET', path: '/api/v1/auth' };
    expect(replyFaults.match(call)).toBe('drop');
    expect(replyFaults.match({ ...call, method: 'POST' })).toBe(null);
    expect(replyFaults.match({ ...call, path: '/sim/v1/clock' })).toBe(null);
    list.clearAll();
    list.add({ kind: 'reply', path: call.path, effect: 'delay', delay_s: 0.1 });
    expect(replyFaults.match({ ...call, method: 'POST' })).toEqual({ delay_s: 0.1 });
  });

  it.each([
    { kind: 'stream', effect: 'delay' },
    { kind: 'reply', path: '*', effect: 'delay' },
  ] as AddFaultBody[])('need a delay to delay: %o', (fault) => {
    const details = [{ path: '/delay_s', problem: 'is required to delay' }];
    expect(refusalOf(fault)).toEqual(['invalid_arguments', details]);
  });

  it.each(['reply', 'stream'] as const)('draw the same events from the same seed: %s', (kind) => {
    const course = (seed: number) => {
      const { list, replyFaults, injected } = createList();
      const chance = { effect: 'drop', chance: 0.5, seed } as const;
      list.add(kind === 'reply' ? { kind, path: '*', ...chance } : { kind, ...chance });
      const call = { method: 'GET', path: '/' };
      return Array.from({ length: 40 }, () =>
        kind === 'reply' ? replyFaults.match(call) : injected.messages.match('x'),
      );
    };
    expect(course(3)).toEqual(course(3));
    expect(course(3)).not.toEqual(course(4));
  });
});

describe('a draw', () => {
  it('of a probability of 1 is always true, of 0 never', () => {
    const draws = (probability: number) => {
      const draw = createDraw(probability, 1);
      return new Set(Array.from({ length: 1000 }, () => draw()));
    };
    expect([draws(1), draws(0)]).toEqual([new Set([true]), new Set([false])]);
  });

  it('is true below its probability, and not at it', () => {
    const first = createPrng(5)();
    expect([first, first + 1e-9].map((chance) => createDraw(chance, 5)())).toEqual([false, true]);
  });
});
