import { beforeEach, expect, it } from 'vitest';
import { limits } from '../../contract/limits.ts';
import { type FileReceiver, readFile } from './user-file.ts';

let received: string[];
const receiver: FileReceiver = {
  onText: (...file) => received.push(...file),
  onProblem: (problem) => received.push(problem),
};

beforeEach(() => {
  received = [];
});

it('reports the text, and the name without .json', async () => {
  await readFile(new File(['{}'], 'Sorter.JSON'), receiver);
  expect(received).toEqual(['Sorter', '{}']);
});

it('reports that a folder or a deleted file cannot be read', async () => {
  const gone = new File([], 'gone');
  gone.text = () => Promise.reject(new DOMException('gone', 'NotFoundError'));
  await readFile(gone, receiver);
  expect(received).toEqual(['The file cannot be read. Choose it again.']);
});

it('does not read a file above the size limit of the API', async () => {
  const long = { size: limits.body_seed_bytes + 1, name: 'long' } as File;
  await readFile(long, receiver);
  expect(received).toEqual(['The file is larger than 64 MiB. Choose a smaller file.']);
});
