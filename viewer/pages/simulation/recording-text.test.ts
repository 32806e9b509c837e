import { expect, it } from 'vitest';
import { recordingText } from './recording-text.ts';

it('describes the state of a recording', () => {
  expect(recordingText({ recording: false, bytes: 0, truncated: false })).toContain('Nothing');
  expect(recordingText({ recording: true, bytes: 20_480, truncated: false })).toBe(
    'Recording, 20.5 kB.',
  );
  expect(recordingText({ recording: false, bytes: 900, truncated: true })).toContain('size limit');
});
