import { expect, test } from 'vitest';
import { bodyLines, curlText } from './delivery-details.ts';

test('indents a body of JSON, and leaves any other text', () => {
  expect(bodyLines('{"a":1}')).toBe('{\n  "a": 1\n}');
  expect(bodyLines('no json')).toBe('no json');
});

test('escapes the body in the curl command', () => {
  const text = curlText({ url: "http://a/'$(id)", body: '{"a":"\'; rm -rf /; \'"}' });
  expect(text).toBe(
    "curl -X POST -H 'Content-Type: application/json' " +
      `--data-binary '{"a":"'\\''; rm -rf /; '\\''"}' -- 'http://a/'\\''$(id)'`,
  );
});
