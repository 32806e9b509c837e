/** The container of the moving picture, by the definition of the format. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { animatedWebp, SHOWN_MS } from './moving-picture.mjs';

/** The chunks of a part of a file, in order. @param {Buffer} bytes */
function chunksOf(bytes) {
  const found = [];
  for (let at = 0; at < bytes.length; ) {
    const length = bytes.readUInt32LE(at + 4);
    const content = bytes.subarray(at + 8, at + 8 + length);
    found.push({ name: bytes.toString('latin1', at, at + 4), content });
    at += 8 + length + (length % 2);
  }
  return found;
}

/** Size, and duration and picture of each frame, of an animation. @param {Buffer} file */
function read(file) {
  expect([file.toString('latin1', 0, 4), file.readUInt32LE(4)]).toEqual(['RIFF', file.length - 8]);
  expect(file.toString('latin1', 8, 12)).toBe('WEBP');
  const [head, repeats, ...frames] = chunksOf(file.subarray(12));
  expect([head?.name, head?.content[0], repeats?.name]).toEqual(['VP8X', 2, 'ANIM']);
  const size = [4, 7].map((at) => Number(head?.content.readUIntLE(at, 3)) + 1);
  return {
    size,
    frames: frames.map(({ name, content }) => {
      expect(name).toBe('ANMF');
      expect([6, 9].map((at) => content.readUIntLE(at, 3) + 1)).toEqual(size);
      return { shown_ms: content.readUIntLE(12, 3), parts: chunksOf(content.subarray(16)) };
    }),
  };
}

/** A still of one chunk. @param {string} text */
function still(text) {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(text.length);
  const padded = text.length % 2 === 0 ? text : `${text}\0`;
  return Buffer.concat([Buffer.from('RIFF....WEBPVP8 '), size, Buffer.from(padded)]);
}

it('joins stills', () => {
  const file = animatedWebp([still('first'), still('second')], {
    width: 640,
    height: 300,
    shown_ms: 70,
  });
  const { size, frames } = read(file);
  expect(size).toEqual([640, 300]);
  const parts = frames.map((frame) => [
    frame.shown_ms,
    frame.parts.map((part) => `${part.content}`),
  ]);
  expect(parts).toEqual([
    [70, ['first']],
    [70, ['second']],
  ]);
  expect(() =>
    animatedWebp([Buffer.from('RIFF....WEBPVP8L')], {
      width: 1,
      height: 1,
      shown_ms: 1,
    }),
  ).toThrow('not a lossy WebP');
});

it('is the picture of README, in which the arm moves', () => {
  expect(readFileSync('README.md', 'utf8')).toContain('docs/images/live.webp');
  const { frames } = read(readFileSync('docs/images/live.webp'));
  expect(frames.every(({ shown_ms }) => shown_ms === SHOWN_MS)).toBe(true);
  const different = new Set(frames.map(({ parts }) => parts[0]?.content.toString('base64')));
  expect(different.size).toBeGreaterThan(40);
});
