/** The choice of the next operation: by start, tail, rank, noise, urgency and what must wait. */

import { describe, expect, it } from 'vitest';
import {
  type AttemptParameters,
  type CandidateOperation,
  emptyCandidate,
  OperationSelector,
} from './operation-selector.ts';
import { type Operations, operationsOf } from './operations.ts';
import { instrument, problemOf, task } from './problems.cases.ts';

/** Operations 0 and 1 are the tasks, 2 and 3 their moves; tails are 40, 10, 41, 11 s. */
function someOperations(): Operations {
  const tasks = [
    task('first', 30, { on: 1, uses: [[0, 1]] }),
    task('then', 10, { on: 1, uses: [[1, 1]], after: [0] }),
  ];
  const labware = [0, 1].map((l) => {
    return { id: `p${l}`, location: { instrument: 0, slot: l + 1 }, tasks: [l] };
  });
  const instruments = [instrument('hotel', 9), instrument('washer')];
  return operationsOf(problemOf({ instruments, tasks, labware }));
}

const PLAIN: AttemptParameters = {
  sequence: [],
  rank: null,
  weight: 0,
  eager: true,
  noise_s: null,
  wipLimit: Number.POSITIVE_INFINITY,
  preferred: Int32Array.of(-1, -1),
  buffered: null,
};

interface Setup {
  readonly parameters?: Partial<AttemptParameters>;
  /** Ends of the two tasks (s); −1 where one is not scheduled. */
  readonly ends_s?: readonly [number, number];
  readonly urgency_s?: Float64Array;
}

function selectorWith({ parameters, ends_s = [-1, -1], urgency_s }: Setup = {}) {
  const operations = { ...someOperations(), ...(urgency_s && { urgency_s }) };
  return new OperationSelector(operations, { ...PLAIN, ...parameters }, Float64Array.from(ends_s));
}

function candidate(operation: number, start_s: number): CandidateOperation {
  const isMove = operation >= 2;
  const own = { operation, task: operation % 2, use: isMove ? 0 : -1, start_s, end_s: start_s + 5 };
  return { ...emptyCandidate(), ...own };
}

/** The chosen one of operations with their starts. */
function chosen(offers: readonly (readonly [operation: number, start_s: number])[], setup?: Setup) {
  const selector = selectorWith(setup);
  for (const [operation, start_s] of offers) selector.offer(candidate(operation, start_s));
  return selector.best.operation;
}

describe('an empty candidate', () => {
  it('names nothing and takes no time', () => {
    const nothing = { operation: -1, task: -1, use: -1, piece: -1, instrument: -1, to: -1 };
    expect(emptyCandidate()).toEqual({ ...nothing, start_s: 0, end_s: 0 });
  });
});

describe('a selector', () => {
  it('has no best before an offer and after a reset', () => {
    const selector = selectorWith();
    expect(selector.hasBest).toBe(false);
    selector.offer(candidate(2, 7));
    expect(selector.hasBest).toBe(true);
    selector.reset();
    expect(selector.hasBest).toBe(false);
    selector.offer(candidate(3, 9));
    expect([selector.hasBest, selector.best.operation]).toEqual([true, 3]);
  });

  it('keeps a copy of the best', () => {
    const selector = selectorWith();
    const given = { operation: 3, task: 1, use: 0, piece: 5, instrument: 6, to: 7 };
    const offered = { ...given, start_s: 8, end_s: 9 };
    selector.offer(offered);
    expect(selector.best).toEqual(offered);
    expect(selector.best).not.toBe(offered);
  });
});

describe('the best', () => {
  it('starts first; the first offer wins at equal starts', () => {
    expect(
      chosen([
        [2, 9],
        [3, 5],
        [0, 7],
      ]),
    ).toBe(3);
    expect(
      chosen([
        [2, 5],
        [3, 5],
      ]),
    ).toBe(2);
    expect(
      chosen([
        [3, 5],
        [2, 5],
      ]),
    ).toBe(3);
  });

  it.each([
    [0, 1],
    [0.25, 1],
    [0.5, 0],
    [1, 0],
  ])('has the longer tail by the weight %d: task %d', (weight, expected) => {
    // The tail of task 0 is 30 s longer, and it starts 10 s later.
    const parameters = { weight };
    expect(
      chosen(
        [
          [0, 20],
          [1, 10],
        ],
        { parameters },
      ),
    ).toBe(expected);
  });

  it('is not a move whose task must wait, unless moves are eager', () => {
    const offers = [
      [3, 5],
      [2, 900],
    ] as const;
    expect(chosen(offers, { parameters: { eager: true } })).toBe(3);
    expect(chosen(offers, { parameters: { eager: false } })).toBe(2);
    expect(chosen(offers, { parameters: { eager: false }, ends_s: [0, -1] })).toBe(3);
    expect(chosen(offers, { parameters: { eager: false }, ends_s: [30, -1] })).toBe(3);
  });

  it('is such a move where there is no other', () => {
    expect(chosen([[3, 5]], { parameters: { eager: false } })).toBe(3);
  });

  it('may be a task that waits: it is offered when it can start', () => {
    expect(
      chosen(
        [
          [1, 5],
          [0, 9],
        ],
        { parameters: { eager: false } },
      ),
    ).toBe(1);
  });

  it('may be the first move for a task, which has the use 0', () => {
    const setup = { parameters: { eager: false } };
    const selector = selectorWith(setup);
    selector.offer({ ...candidate(3, 5), use: -2 });
    selector.offer(candidate(2, 9));
    expect(selector.best.operation).toBe(3);
  });

  it('has a random term', () => {
    const noise_s = Float64Array.of(0, 0, 9, 0);
    expect(
      chosen(
        [
          [2, 5],
          [3, 13],
        ],
        { parameters: { noise_s } },
      ),
    ).toBe(3);
    expect(
      chosen(
        [
          [2, 5],
          [3, 15],
        ],
        { parameters: { noise_s } },
      ),
    ).toBe(2);
  });

  it('is urgent', () => {
    const urgency_s = Float64Array.of(0, 0, 0, 9);
    expect(
      chosen(
        [
          [2, 5],
          [3, 13],
        ],
        { urgency_s },
      ),
    ).toBe(3);
    expect(
      chosen(
        [
          [2, 5],
          [3, 15],
        ],
        { urgency_s },
      ),
    ).toBe(2);
  });

  it('has the smallest rank, whatever its start', () => {
    const rank = Float64Array.of(4, 3, 2, 1);
    const parameters = { rank, eager: false, weight: 9 };
    expect(
      chosen(
        [
          [2, 5],
          [3, 500],
          [0, 0],
        ],
        { parameters },
      ),
    ).toBe(3);
    const noise_s = Float64Array.of(0, 0, 0, 1.5);
    expect(
      chosen(
        [
          [2, 5],
          [3, 500],
        ],
        { parameters: { ...parameters, noise_s } },
      ),
    ).toBe(2);
  });
});

describe('an operation that cannot win', () => {
  it('has no smaller rank than the best', () => {
    const selector = selectorWith({ parameters: { rank: Float64Array.of(4, 3, 2, 3) } });
    const cannot = () => [0, 1, 2, 3].map((operation) => selector.cannotWin(operation));
    expect(cannot()).toEqual([false, false, false, false]);
    selector.offer(candidate(1, 0));
    expect(cannot()).toEqual([true, true, false, true]);
    selector.reset();
    expect(cannot()).toEqual([false, false, false, false]);
  });

  it('is judged with its random term', () => {
    const noise_s = Float64Array.of(0, 0, 5, 0);
    const rank = Float64Array.of(4, 3, 2, 1);
    const selector = selectorWith({ parameters: { rank, noise_s } });
    selector.offer(candidate(1, 0));
    expect([selector.cannotWin(2), selector.cannotWin(3)]).toEqual([true, false]);
  });

  it('is not known without ranks', () => {
    const selector = selectorWith();
    selector.offer(candidate(2, 0));
    expect(selector.cannotWin(3)).toBe(false);
  });
});
