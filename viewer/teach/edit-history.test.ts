import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createEditHistory } from './edit-history.ts';

it('goes back and forth over what was pushed', () => {
  const history = createEditHistory(0);
  for (const state of [1, 2, 3]) history.push(state);
  expect([history.undo(), history.undo(), history.redo()]).toEqual([2, 1, 2]);
  expect(history.present).toBe(2);
});

it('stops at both ends', () => {
  const history = createEditHistory('a');
  expect([history.undo(), history.redo(), history.canUndo, history.canRedo]).toEqual([
    null,
    null,
    false,
    false,
  ]);
});

it('forgets what was undone once something else is done', () => {
  const history = createEditHistory(0);
  history.push(1);
  history.undo();
  history.push(2);
  expect(history.canRedo).toBe(false);
  expect(history.undo()).toBe(0);
});

it('makes one step of one gesture', () => {
  const history = createEditHistory(0);
  history.push(1, 'drag');
  history.push(2, 'drag');
  history.push(3, 'field');
  expect([history.undo(), history.undo(), history.undo()]).toEqual([2, 0, null]);
});

it('begins a new step when the same gesture is done again', () => {
  const history = createEditHistory(0);
  history.push(1, 'field');
  history.settle();
  history.push(2, 'field');
  expect(history.undo()).toBe(1);
  history.push(5, 'field');
  expect(history.undo()).toBe(1);
});

it('is 200 steps deep', () => {
  const history = createEditHistory(0);
  for (let state = 1; state <= 500; state++) history.push(state);
  let steps = 0;
  while (history.undo() !== null) steps++;
  expect([steps, history.present]).toEqual([200, 300]);
});

it('rewrites every state, without a step', () => {
  const history = createEditHistory(1);
  history.push(2);
  history.rewrite((state) => state * 10);
  expect([history.present, history.undo(), history.redo()]).toEqual([20, 10, 20]);
});

it('gives back what was there, whatever was done', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -1, max: 3 }), { maxLength: 60 }), (acts) => {
      const history = createEditHistory(0);
      const done = [0];
      const undone: number[] = [];
      acts.forEach((act, i) => {
        if (act < 0) {
          expect(history.undo()).toBe(done.length > 1 ? done.at(-2) : null);
          if (done.length > 1) undone.push(done.pop()!);
        } else if (act === 0) {
          const next = undone.pop();
          expect(history.redo()).toBe(next ?? null);
          if (next !== undefined) done.push(next);
        } else {
          history.push(i + 1);
          done.push(i + 1);
          undone.length = 0;
        }
        expect(history.present).toBe(done.at(-1));
      });
    }),
  );
});
