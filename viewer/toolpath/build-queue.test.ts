import { expect, it } from 'vitest';
import type { BuildReply } from './build-queue.ts';
import { createBuildQueue } from './build-queue.ts';

const REFUSED: BuildReply = { kind: 'refused', problems: [] };

function watched() {
  const asked: string[] = [];
  const taken: boolean[] = [];
  const queue = createBuildQueue(
    (request) => asked.push(request.kind === 'open' ? request.text : 'choose'),
    (_, edited) => taken.push(edited),
  );
  return { queue, asked, taken };
}

it('builds one at a time and skips outdated builds', () => {
  const { queue, asked, taken } = watched();
  for (const text of ['a', 'b', 'c']) queue.build({ text, edited: true });
  expect(asked).toEqual(['a']);
  queue.handleReply(REFUSED);
  expect(asked).toEqual(['a', 'c']);
  expect(taken).toEqual([]);
  queue.handleReply(REFUSED);
  expect(taken).toEqual([true]);
});

it('marks each reply as edit or not', () => {
  const { queue, taken } = watched();
  for (const edited of [false, true, false]) {
    queue.build({ text: '', edited });
    queue.handleReply(REFUSED);
  }
  expect(taken).toEqual([false, true, false]);
});

it('does not request another path of a toolpath being replaced', () => {
  const { queue, asked } = watched();
  queue.build({ text: 'a', edited: false });
  queue.choose({});
  queue.handleReply(REFUSED);
  queue.choose({});
  expect(asked).toEqual(['a', 'choose']);
});
