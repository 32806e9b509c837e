import { describe, expect, it } from 'vitest';
import { type Condition, type ConditionInputs, conditionHolds } from './conditions.ts';

const analog = { location: 'base', type: 'analog', index: 1 } as const;
const digital = { location: 'base', type: 'digital', index: 2 } as const;
const thresholds = { lower: 2, upper: 5 };

function reading(inputs: unknown, outputs: unknown = null, elapsed_s = 0): ConditionInputs {
  return { elapsed_s, read: (side) => (side === 'inputs' ? inputs : outputs) };
}

function analogTest(operator: 'equal' | 'below' | 'above' | 'inside' | 'outside'): Condition {
  return { type: 'input', io: analog, operator, thresholds, value: 3 };
}

describe('time', () => {
  const wait: Condition = { type: 'time', duration: 0.5 };
  it.each([
    [0, false],
    [0.499, false],
    [0.5, true],
    [9, true],
  ])('after %d s of 0.5: %s', (elapsed_s, holds) => {
    expect(conditionHolds(wait, reading(null, null, elapsed_s))).toBe(holds);
  });
  it('does not last a tick longer because of rounding', () => {
    expect(conditionHolds(wait, reading(null, null, 1000.1 - 999.6))).toBe(true);
  });
});

describe('analog operators', () => {
  it.each([
    ['equal', 3, true],
    ['equal', 3.0001, false],
    ['below', 1.99, true],
    ['below', 2, false],
    ['above', 5.01, true],
    ['above', 5, false],
    ['inside', 3, true],
    ['inside', 2, false],
    ['inside', 5, false],
    ['outside', 1, true],
    ['outside', 6, true],
    ['outside', 2, false],
    ['outside', 5, false],
    ['outside', 3, false],
  ] as const)('%s at %d: %s', (operator, value, holds) => {
    expect(conditionHolds(analogTest(operator), reading(value))).toBe(holds);
  });
  it('never hold for a non-number', () => {
    expect(conditionHolds(analogTest('outside'), reading(true))).toBe(false);
    expect(conditionHolds(analogTest('below'), reading(undefined))).toBe(false);
  });
});

describe('digital lines', () => {
  it('hold when equal to the value, without an operator', () => {
    const wanted: Condition = { type: 'input', io: digital, value: false };
    expect(conditionHolds(wanted, reading(false))).toBe(true);
    expect(conditionHolds(wanted, reading(true))).toBe(false);
  });
  it('read outputs for output-test and inputs for input', () => {
    const output: Condition = { type: 'output-test', io: digital, value: true };
    expect(conditionHolds(output, reading(false, true))).toBe(true);
    expect(conditionHolds({ ...output, type: 'input' }, reading(false, true))).toBe(false);
  });
  it('read the line of the condition', () => {
    const asked: unknown[] = [];
    const view: ConditionInputs = { elapsed_s: 0, read: (...line) => asked.push(line) };
    conditionHolds({ type: 'output-test', io: digital, value: true }, view);
    expect(asked).toEqual([['outputs', digital]]);
  });
});

it('needs only the thresholds that its operator reads', () => {
  const condition = { type: 'input', io: analog } as const;
  const below: Condition = { ...condition, operator: 'below', thresholds: { lower: 2 } };
  const above: Condition = { ...condition, operator: 'above', thresholds: { upper: 5 } };
  expect([1, 2, 9].map((value) => conditionHolds(below, reading(value)))).toEqual([
    true,
    false,
    false,
  ]);
  expect([1, 5, 9].map((value) => conditionHolds(above, reading(value)))).toEqual([
    false,
    false,
    true,
  ]);
  for (const operator of ['inside', 'above'] as const) {
    expect(conditionHolds({ ...below, operator }, reading(9))).toBe(false);
  }
});

it('never holds without what its operator needs', () => {
  expect(conditionHolds({ type: 'input', io: analog, operator: 'below' }, reading(1))).toBe(false);
  expect(conditionHolds({ type: 'input', io: digital }, reading(undefined))).toBe(false);
});
