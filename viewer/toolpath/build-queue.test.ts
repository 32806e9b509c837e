import { expect, it } from 'vitest';
import type { BuildAnswer } from './build-messages.ts';
import { createBuildQueue } from './build-queue.ts';

const REFUSED: BuildAnswer = { kind: 'refused', problems: [] };

function watched() {
  const asked: string[] = [];
  const taken: boolean[] = [];
  const queue = createBuildQueue(
    (request) => asked.push(request.kind === 'open' ? request.text : 'choose'),
    (_, edited) => taken.push(edited),
  );
  return { queue, asked, taken };
}

it('builds one at a time and skips what is overtaken', () => {
  const { queue, asked, taken } = watched();
  for (const text of ['a', 'b', 'c']) queue.build({ text, edited: true });
  expect(asked).toEqual(['a']);
  queue.hear(REFUSED);
  expect(asked).toEqual(['a', 'c']);
  expect(taken).toEqual([]);
  queue.hear(REFUSED);
  expect(taken).toEqual([true]);
});

it('says of each answer whether it is an edit', () => {
  const { queue, taken } = watched();
  for (const edited of [false, true, false]) {
    queue.build({ text: '', edited });
    queue.hear(REFUSED);
  }
  expect(taken).toEqual([false, true, false]);
});

it('asks for no other way through what is being replaced', () => {
  const { queue, asked } = watched();
  queue.build({ text: 'a', edited: false });
  queue.choose({});
  queue.hear(REFUSED);
  queue.choose({});
  expect(asked).toEqual(['a', 'choose']);
});
