import { beforeEach, expect, it } from 'vitest';
import { limits } from '../../contract/limits.ts';
import { type FileTaker, readFile } from './user-file.ts';

let heard: string[];
const taker: FileTaker = {
  take: (...file) => heard.push(...file),
  refuse: (sentence) => heard.push(sentence),
};

beforeEach(() => {
  heard = [];
});

it('hands on a text, and the name without its ending', async () => {
  await readFile(new File(['{}'], 'Sorter.JSON'), taker);
  expect(heard).toEqual(['Sorter', '{}']);
});

it('says that a folder or a file that is gone cannot be read', async () => {
  const gone = new File([], 'gone');
  gone.text = () => Promise.reject(new DOMException('gone', 'NotFoundError'));
  await readFile(gone, taker);
  expect(heard).toEqual(['The file cannot be read. Choose it again.']);
});

it('does not even read what is longer than the arm takes', async () => {
  const long = { size: limits.body_seed_bytes + 1, name: 'long' } as File;
  await readFile(long, taker);
  expect(heard).toEqual(['The file is longer than 64 MiB. Choose a shorter one.']);
});
