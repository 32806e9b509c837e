/** What a plan consists of: which operation waits for which, slack, critical path, bottleneck. */

import { describe, expect, it } from 'vitest';
import { bottleneckText } from './bottleneck.ts';
import { criticalPath } from './critical-path.ts';
import { graphOf, type PlanResources } from './plan-graph.ts';
import { planSlack } from './plan-slack.ts';
import type { Plan, PlannedLabwareMove, PlannedTask, UnitCycle } from './problem.ts';
import { instrument, problemOf, task } from './problems.cases.ts';

type Span = readonly [start_s: number, end_s: number];

/** A task of a plan on an instrument; −1 for none. */
const done = (index: number, on: number, [start_s, end_s]: Span): PlannedTask => {
  return { task: index, instrument: on, start_s, end_s };
};

/** A move of a piece between places such as `1/2`, slot 2 of instrument 1, for a task. */
function moved(labware: number, way: string, span: Span | [...Span, task: number]) {
  const [start_s, end_s, task = 0] = span;
  const [from, to] = way.split(' ').map((name) => {
    const [on, slot] = name.split('/').map(Number);
    return { instrument: on!, slot: slot! };
  });
  const move: PlannedLabwareMove = { task, labware, from: from!, to: to!, start_s, end_s };
  return move;
}

const planWith = (parts: Partial<Plan>): Plan => {
  return { tasks: [], moves: [], makespan_s: 0, lower_bound_s: 0, ...parts };
};

const piece = (id: string) => ({ id, location: { instrument: 0, slot: 1 }, tasks: [] });

/** Four instruments, the last without slots, and tasks `a` to `d` without labware. */
function resources(parts: Partial<PlanResources> = {}): PlanResources {
  const instruments = [
    instrument('x'),
    instrument('y'),
    instrument('pair', 2),
    instrument('cabinet', 9, true),
  ];
  const tasks = ['a', 'b', 'c', 'd'].map((id) => task(id, 10, { on: 0 }));
  const labware = [piece('red'), piece('blue'), piece('green')];
  return { ...problemOf({ instruments, tasks, labware }), ...parts };
}

/** Tasks `a` to `d`, some with dependencies or pieces. */
function tasksWith(parts: Record<string, { after?: number[]; uses?: number[] }>) {
  return ['a', 'b', 'c', 'd'].map((id) => {
    const { after = [], uses = [] } = parts[id] ?? {};
    return task(id, 10, { on: 0, after, uses: uses.map((one) => [one, 1] as const) });
  });
}

/** `a > b`: b follows the end of a; `a ~ b`: b follows the start of a. */
function linksOf(names: PlanResources, plan: Pick<Plan, 'tasks' | 'moves'>): string[] {
  const links = graphOf(names, plan).flatMap(({ name, afterEnd, afterCool, afterStart }) => [
    ...afterCool.map((next) => `${name} > ${next.name}`),
    ...afterEnd.map((next) => `${name} > ${next.name}`),
    ...afterStart.map((next) => `${name} ~ ${next.name}`),
  ]);
  return [...new Set(links)].sort();
}

describe('an instrument that cools down', () => {
  const names = resources();
  const instruments = names.instruments.map((one) => ({ ...one, cool_s: one.id === 'x' ? 7 : 0 }));
  const cool = { ...names, instruments };
  const plan = planWith({
    tasks: [done(0, 0, [0, 10]), done(1, 0, [17, 27]), done(2, 1, [0, 12])],
    makespan_s: 27,
  });

  it('is on the critical path with the task after its rest', () => {
    expect(criticalPath(cool, plan)).toEqual(['a', 'b']);
    expect(criticalPath(names, plan)).toEqual(['b']);
  });

  it('gives a task as much slack as its rest leaves', () => {
    const slack = (of: PlanResources) => planSlack(of, plan).map((one) => [one.name, one.slack_s]);
    expect(slack(cool)).toEqual([
      ['a', 0],
      ['c', 15],
      ['b', 0],
    ]);
    expect(slack(names)).toEqual([
      ['a', 7],
      ['c', 15],
      ['b', 0],
    ]);
  });
});

describe('the graph of a plan', () => {
  it('has the operations in the order of starts, then of ends, moves first', () => {
    const plan = planWith({
      tasks: [done(0, 0, [30, 40]), done(1, 1, [5, 20]), done(2, 2, [5, 15]), done(3, -1, [0, 5])],
      moves: [moved(0, '0/1 1/1', [30, 40]), moved(1, '0/2 1/2', [0, 5])],
    });
    expect(graphOf(resources(), plan)).toMatchObject([
      { name: 'move blue for a', task: 0, piece: 1, instrument: 1, start_s: 0, end_s: 5 },
      { name: 'd', task: 3, piece: -1, instrument: -1, start_s: 0, end_s: 5, move: null },
      { name: 'c', task: 2, piece: -1, instrument: 2, start_s: 5, end_s: 15 },
      { name: 'b', task: 1, piece: -1, instrument: 1, start_s: 5, end_s: 20 },
      { name: 'move red for a', task: 0, piece: 0, instrument: 1, move: plan.moves[0] },
      { name: 'a', task: 0, instrument: 0, start_s: 30, end_s: 40 },
    ]);
  });

  it('links the moves of the arm', () => {
    const moves = [
      moved(2, '0/3 1/3', [20, 25]),
      moved(0, '0/1 1/1', [0, 5]),
      moved(1, '0/2 1/2', [10, 15]),
    ];
    const links = ['move blue for a > move green for a', 'move red for a > move blue for a'];
    expect(linksOf(resources(), planWith({ moves }))).toEqual(links);
  });

  it('links the moves into a slot with the last one out of it', () => {
    const moves = [
      moved(0, '1/1 0/1', [0, 5]),
      moved(1, '1/1 0/2', [10, 15, 1]),
      moved(2, '0/3 1/1', [20, 25, 2]),
      moved(2, '1/1 0/3', [30, 35, 3]),
    ];
    expect(linksOf(resources(), planWith({ moves }))).toContain(
      'move blue for b ~ move green for c',
    );
    const links = linksOf(resources(), planWith({ moves })).filter((one) => one.includes('~'));
    // The last one puts the piece back into the slot that it came from.
    expect(links).toEqual([
      'move blue for b ~ move green for c',
      'move green for c ~ move green for d',
    ]);
  });

  it('does not where a slot holds any number of pieces', () => {
    const moves = [moved(0, '3/1 0/1', [0, 5]), moved(1, '0/2 3/1', [10, 15, 1])];
    expect(linksOf(resources(), planWith({ moves }))).toEqual(['move red for a > move blue for b']);
  });

  it.each<[number, string[]]>([
    [0, ['a > b', 'b > c', 'c > d']],
    [2, ['a > c', 'b > d']],
    [-1, []],
  ])('links the tasks of instrument %d by its capacity', (on, links) => {
    const tasks = [0, 1, 2, 3].map((t) => done(t, on, [10 * t, 10 * t + 10]));
    expect(linksOf(resources(), planWith({ tasks }))).toEqual(links);
  });

  it('links the tasks of a closed instrument with the moves into it and out of it', () => {
    const plan = planWith({
      tasks: [done(0, 2, [5, 15]), done(1, 2, [5, 20]), done(2, 2, [30, 40]), done(3, 1, [5, 9])],
      moves: [
        moved(0, '0/1 2/1', [0, 5, 3]),
        moved(1, '2/2 0/2', [20, 25, 3]),
        moved(2, '0/3 2/3', [25, 30, 3]),
      ],
    });
    const names = resources();
    const shut = names.instruments.map((one) => ({ ...one, closed: one.id === 'pair' }));
    const links = linksOf({ ...names, instruments: shut }, plan);
    const more = links.filter((one) => !linksOf(names, plan).includes(one));
    expect(more).toEqual([
      'a > move blue for d',
      'b > move blue for d',
      'move green for d > c',
      'move red for d > a',
      'move red for d > b',
    ]);
  });

  it('links the tasks and moves of each piece, and not those of others', () => {
    const tasks = [done(0, 0, [0, 10]), done(1, 1, [10, 20]), done(2, 2, [25, 30])];
    const moves = [moved(2, '1/1 2/1', [20, 25, 2])];
    const names = resources({
      tasks: tasksWith({ a: { uses: [1] }, b: { uses: [1, 2] }, c: { uses: [2] } }),
    });
    expect(linksOf(names, planWith({ tasks, moves }))).toEqual([
      'a > b',
      'b > move green for c',
      'move green for c > c',
    ]);
  });

  it('links the tasks that wait for others, as far as these are in the plan', () => {
    const tasks = [done(0, 0, [0, 10]), done(2, 1, [10, 20])];
    const moves = [moved(0, '0/1 1/1', [0, 5, 3])];
    const names = resources({ tasks: tasksWith({ c: { after: [0, 1, 3] } }) });
    expect(linksOf(names, planWith({ tasks, moves }))).toEqual(['a > c']);
  });
});

describe('the slack of an operation', () => {
  const slackOf = (names: PlanResources, plan: Plan) =>
    planSlack(names, plan).map(({ name, slack_s }) => [name, slack_s]);

  it('is what the following ones and the end of the plan leave', () => {
    const tasks = [
      done(0, 0, [0, 10]),
      done(1, 0, [14, 30]),
      done(2, 1, [2, 7]),
      done(3, 1, [20, 26]),
    ];
    const plan = planWith({ tasks, makespan_s: 31 });
    expect(slackOf(resources(), plan)).toEqual([
      ['a', 5],
      ['c', 18],
      ['b', 1],
      ['d', 5],
    ]);
  });

  it('is the least of all that follow', () => {
    const tasks = [done(0, 0, [0, 10]), done(1, 1, [12, 30]), done(2, 2, [17, 20])];
    const names = resources({ tasks: tasksWith({ b: { after: [0] }, c: { after: [0] } }) });
    expect(slackOf(names, planWith({ tasks, makespan_s: 30 }))).toEqual([
      ['a', 2],
      ['b', 0],
      ['c', 10],
    ]);
  });

  it('comes with the operation, and without what only the graph needs', () => {
    const plan = planWith({ moves: [moved(1, '0/1 2/4', [3, 8, 2])], makespan_s: 9 });
    const row = { name: 'move blue for c', task: 2, piece: 1, instrument: 2, start_s: 3, end_s: 8 };
    expect(planSlack(resources(), plan)).toEqual([{ ...row, slack_s: 1 }]);
  });

  it('is never negative', () => {
    const plan = planWith({ tasks: [done(0, 0, [0, 10])], makespan_s: 8 });
    expect(slackOf(resources(), plan)).toEqual([['a', 0]]);
  });

  it('of a move lets the piece come out of its slot in time', () => {
    const moves = [moved(0, '1/1 0/1', [0, 5]), moved(1, '0/2 1/1', [9, 14, 1])];
    expect(slackOf(resources(), planWith({ moves, makespan_s: 15 }))).toEqual([
      ['move red for a', 5],
      ['move blue for b', 1],
    ]);
  });
});

describe('the critical path', () => {
  const pathOf = (parts: Partial<Plan>, names = resources()) =>
    criticalPath(names, planWith(parts));

  it('goes from the last end back to operations that end as the next one starts', () => {
    const tasks = [
      done(0, 0, [0, 10]),
      done(1, 0, [10, 30]),
      done(2, 1, [0, 10]),
      done(3, 1, [15, 25]),
    ];
    expect(pathOf({ tasks })).toEqual(['a', 'b']);
    expect(pathOf({ tasks: tasks.slice(2) })).toEqual(['d']);
    expect(pathOf({})).toEqual([]);
  });

  it('leaves out what takes no time', () => {
    const tasks = [done(0, 0, [0, 10]), done(1, 0, [10, 10]), done(2, 0, [10, 30])];
    expect(pathOf({ tasks })).toEqual(['a', 'c']);
  });

  it('goes to the start of a move that makes a slot free', () => {
    const tasks = [done(2, 0, [0, 4])];
    const moves = [moved(0, '1/1 0/1', [4, 9, 2]), moved(1, '0/2 1/1', [4, 12, 1])];
    const names = resources({ tasks: tasksWith({ c: { uses: [0] } }) });
    expect(pathOf({ tasks, moves }, names)).toEqual(['c', 'move red for c', 'move blue for b']);
    const later = [moved(0, '1/1 0/1', [4, 9, 2]), moved(1, '0/2 1/1', [5, 12, 1])];
    expect(pathOf({ tasks, moves: later }, names)).toEqual(['move blue for b']);
    const apart = [moved(0, '1/2 0/1', [4, 9, 2]), moved(1, '0/2 1/1', [4, 12, 1])];
    expect(pathOf({ tasks, moves: apart }, names)).toEqual(['move blue for b']);
  });

  it('takes times for equal that differ by less than a millionth of a second', () => {
    const next = (start_s: number) =>
      pathOf({ tasks: [done(0, 0, [0, 1e-6]), done(1, 0, [start_s, 9])] });
    expect(next(1.9e-6)).toEqual(['a', 'b']);
    expect(next(2e-6)).toEqual(['b']);
  });

  it('ends where tasks without duration wait for each other', () => {
    const tasks = [done(0, 0, [5, 5]), done(1, 1, [5, 5])];
    const names = resources({ tasks: tasksWith({ a: { after: [1] }, b: { after: [0] } }) });
    expect(pathOf({ tasks }, names)).toEqual([]);
  });
});

describe('the bottleneck of a plan', () => {
  const textOf = (parts: Partial<Plan>, names = resources()) =>
    bottleneckText(names, planWith(parts));
  const numbersOf = (text: string) => text.match(/\d+(\.\d+)?/g)?.map(Number);

  it('is what the critical path mostly consists of', () => {
    const tasks = [
      done(0, 0, [0, 10]),
      done(1, 1, [10, 18]),
      done(2, 0, [18, 25]),
      done(3, 1, [25, 33]),
    ];
    const names = resources({
      tasks: tasksWith({ b: { after: [0] }, c: { after: [1] }, d: { after: [2] } }),
    });
    const text = textOf({ tasks, makespan_s: 33 }, names);
    expect(text).toMatch(/^x is the bottleneck/);
    // 17 s of 33 s are 52 %.
    expect(numbersOf(text)).toEqual([52, 33, 17]);
    const shorter = tasks.toSpliced(0, 1, done(0, 0, [8, 10]));
    expect(textOf({ tasks: shorter, makespan_s: 33 }, names)).toMatch(/^y is/);
  });

  it('is busy by the share of all its capacity', () => {
    const tasks = [
      done(0, 2, [0, 40]),
      done(1, 2, [0, 10]),
      done(2, 0, [0, 35]),
      done(3, 2, [10, 20]),
    ];
    const text = textOf({ tasks, makespan_s: 40 });
    expect(text).toMatch(/^pair /);
    expect(numbersOf(text)).toEqual([75, 40, 40]);
  });

  it('can be the arm, with all of its moves', () => {
    const moves = [moved(0, '0/1 1/1', [0, 20]), moved(1, '0/2 1/2', [30, 60, 1])];
    const tasks = [done(1, 1, [60, 80])];
    const names = resources({ tasks: tasksWith({ b: { uses: [1] } }) });
    const text = textOf({ moves, tasks, makespan_s: 80 }, names);
    expect(text).toMatch(/^the arm /);
    expect(numbersOf(text)).toEqual([63, 80, 30]);
  });

  it('can be work without an instrument, and none', () => {
    const text = textOf({ tasks: [done(0, -1, [0, 20]), done(1, 0, [0, 5])], makespan_s: 20 });
    expect(text).toMatch(/^work without an instrument /);
    expect(numbersOf(text)).toEqual([100, 20, 20]);
    expect(textOf({})).toBe('The plan has no work.');
  });

  it('has a share of at least one second', () => {
    const text = textOf({ tasks: [done(0, 0, [0, 0.5])], makespan_s: 0.5 });
    expect(numbersOf(text)).toEqual([50, 1, 1]);
  });

  const gainOf = (makespan_s: number, lower_bound_s: number) => {
    const text = textOf({ tasks: [done(0, 0, [0, 40])], makespan_s, lower_bound_s });
    return text.slice(text.indexOf('path.') + 'path.'.length);
  };

  it.each([
    [40, 25, ' Another order can save 15 s at most.'],
    [40, 39.2, ' Another order can save 1 s at most.'],
    [40, 39.8, ' No other order is shorter.'],
    [40, 50, ' No other order is shorter.'],
    [40, 0, ''],
  ])('says of %d s with a bound of %d s: %s', (makespan_s, lower_bound_s, gain) => {
    expect(gainOf(makespan_s, lower_bound_s)).toBe(gain);
  });

  const cycleOf = (parts: Partial<UnitCycle>) => {
    const cycle: UnitCycle = {
      units: 7,
      pieces_per_unit: 1,
      units_per_cycle: 2,
      cycle_s: 25,
      lower_bound_s: 11,
      resource: 1,
      ...parts,
    };
    const text = textOf({ tasks: [done(0, 0, [0, 40])], makespan_s: 40, cycle });
    return text.slice(text.indexOf('path.') + 'path.'.length);
  };

  it('is followed by the cycle of equal pieces', () => {
    const text = cycleOf({});
    expect(text).toMatch(/7 equal pieces .* 12\.5 s: y alone .* 11 s\.$/);
    expect(cycleOf({ pieces_per_unit: 3 })).toMatch(/7 equal groups of 3 pieces /);
    expect(cycleOf({ resource: -1 })).toContain(': the arm alone ');
    expect(cycleOf({ lower_bound_s: 10.26 })).toContain(' 10.3 s.');
  });

  it.each([
    [12.5, true],
    [12.46, true],
    [12.44, false],
  ])(
    'says of a cycle of 12.5 s with a bound of %d s whether it is the fastest: %s',
    (least_s, is) => {
      expect(cycleOf({ lower_bound_s: least_s }).endsWith('as fast as y allows.')).toBe(is);
    },
  );
});
