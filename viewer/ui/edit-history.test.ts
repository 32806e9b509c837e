import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EditHistory } from './edit-history.ts';

it('undoes and redoes pushed states', () => {
  const history = new EditHistory(0);
  for (const state of [1, 2, 3]) history.push(state);
  expect([history.undo(), history.undo(), history.redo()]).toEqual([2, 1, 2]);
  expect(history.present).toBe(2);
});

it('stops at both ends', () => {
  const history = new EditHistory('a');
  expect([history.undo(), history.redo(), history.canUndo, history.canRedo]).toEqual([
    null,
    null,
    false,
    false,
  ]);
});

it('drops undone states after a new push', () => {
  const history = new EditHistory(0);
  history.push(1);
  history.undo();
  history.push(2);
  expect(history.canRedo).toBe(false);
  expect(history.undo()).toBe(0);
});

it('makes one step per gesture', () => {
  const history = new EditHistory(0);
  history.push(1, 'drag');
  history.push(2, 'drag');
  history.push(3, 'field');
  expect([history.undo(), history.undo(), history.undo()]).toEqual([2, 0, null]);
});

it('starts a new step when a settled gesture is repeated', () => {
  const history = new EditHistory(0);
  history.push(1, 'field');
  history.settle();
  history.push(2, 'field');
  expect(history.undo()).toBe(1);
  history.push(5, 'field');
  expect(history.undo()).toBe(1);
});

it('keeps 200 steps', () => {
  const history = new EditHistory(0);
  for (let state = 1; state <= 500; state++) history.push(state);
  let steps = 0;
  while (history.undo() !== null) steps++;
  expect([steps, history.present]).toEqual([200, 300]);
});

it('rewrites every state, without a step', () => {
  const history = new EditHistory(1);
  history.push(2);
  history.rewrite((state) => state * 10);
  expect([history.present, history.undo(), history.redo()]).toEqual([20, 10, 20]);
});

it('restores every earlier state after random operations', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -1, max: 3 }), { maxLength: 60 }), (operations) => {
      const history = new EditHistory(0);
      const done = [0];
      const undone: number[] = [];
      operations.forEach((operation, i) => {
        if (operation < 0) {
          expect(history.undo()).toBe(done.length > 1 ? done.at(-2) : null);
          if (done.length > 1) undone.push(done.pop()!);
        } else if (operation === 0) {
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
