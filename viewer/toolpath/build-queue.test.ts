import { expect, it } from 'vitest';
import type { BuildReply } from './build-messages.ts';
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

const OPENED = { kind: 'opened', findings: [] } as object as BuildReply;
const PATH = { kind: 'path' } as object as BuildReply;

it('requests the chosen path once the build of an edit is done', () => {
  const { queue, asked, taken } = watched();
  queue.build({ text: 'a', edited: true });
  queue.choose({ '/timeline/0': 1 });
  expect(asked).toEqual(['a']);
  queue.handleReply(OPENED);
  expect(asked).toEqual(['a', 'choose']);
  queue.handleReply(PATH);
  expect(taken).toEqual([true, false]);
});

it('repeats the newest build of those that are not done', () => {
  const { queue, asked, taken } = watched();
  expect(queue.repeat()).toBe(false);
  queue.build({ text: 'a', edited: false });
  expect([queue.repeat(), queue.repeat()]).toEqual([true, true]);
  queue.handleReply(OPENED);
  expect([asked, taken]).toEqual([['a', 'a'], []]);
  queue.build({ text: 'b', edited: true });
  expect(queue.repeat()).toBe(true);
  queue.handleReply(OPENED);
  queue.handleReply(OPENED);
  expect([asked, taken]).toEqual([['a', 'a', 'b'], [true]]);
});

it('shows nothing of what was being built when another is shown', () => {
  const { queue, asked, taken } = watched();
  queue.build({ text: 'a', edited: false });
  queue.build({ text: 'b', edited: false });
  queue.choose({});
  queue.forget();
  expect(queue.repeat()).toBe(false);
  queue.handleReply(OPENED);
  queue.handleReply(PATH);
  expect([asked, taken]).toEqual([['a'], []]);
  queue.build({ text: 'c', edited: false });
  queue.handleReply(OPENED);
  expect([asked, taken]).toEqual([['a', 'c'], [false]]);
});

it('builds what is opened while a forgotten build is running', () => {
  const { queue, asked, taken } = watched();
  queue.build({ text: 'a', edited: false });
  queue.forget();
  queue.build({ text: 'b', edited: true });
  expect(queue.repeat()).toBe(true);
  queue.handleReply(OPENED);
  expect([asked, taken]).toEqual([['a', 'b'], []]);
  queue.handleReply(OPENED);
  expect(taken).toEqual([true]);
});
