import { expect, test } from 'vitest';
import type { Delivery } from '../../../contract/types.generated.ts';
import { bodyLines, bodyOf, bodyText, curlText, deliveryStatus, idsText } from './delivery-text.ts';

function delivery(state: Delivery['state'], ...answers: (number | null)[]): Delivery {
  const attempts = answers.map((status) => ({ at: '', status, error: 'down', duration_ms: 1 }));
  const content = { hook_type: 'RunStateChangeHook', url: 'http://a', body: '{}' } as const;
  return { id: 1, message_id: 'msg_1', run_id: '1', sequence: 1, ...content, state, attempts };
}

test('describes the status of a delivery', () => {
  expect(deliveryStatus(delivery('delivered', 204)).text).toBe('Delivered');
  expect(deliveryStatus(delivery('pending')).text).toBe('Sending');
  expect(deliveryStatus(delivery('pending', 503)).text).toBe('Retrying');
  expect(deliveryStatus(delivery('disabled', 410)).text).toBe('Disabled, 410');
  expect(deliveryStatus(delivery('dead', 503, null)).text).toBe('Dead');
});

test('says which delivery goes first to an address', () => {
  const first = delivery('pending', 503);
  const second = { ...delivery('pending'), id: 2 };
  const elsewhere = { ...delivery('pending'), id: 3, url: 'http://b' };
  const all = [elsewhere, second, first];
  const of = (one: Delivery, among = all) => deliveryStatus(one, among).text;
  expect(all.map((one) => of(one))).toEqual(['Sending', 'Waits for delivery 1', 'Retrying']);
  expect(of(second, [second, { ...first, state: 'dead' }])).toBe('Sending');
});

test('summarises a body, and accepts any text', () => {
  expect(bodyText({ task_id: 'wash', state: 'failed', error: 'no water' })).toBe(
    'wash failed: no water',
  );
  expect(bodyText({ state: 'stopped', message: 'stopped by user' })).toBe('stopped by user');
  expect(bodyText({ state: 'stopped', message: 'completed' })).toBe('completed');
  expect(bodyText({ state: 'started', message: '' })).toBe('started');
  expect(bodyText({ state: 'stopped', message: 'the arm reports an error' })).toBe(
    'stopped: the arm reports an error',
  );
  expect(bodyText({ remaining_worktime: 61 })).toBe('2 min of work left');
  expect(['', 'null', '3', '[', '{"a":1}'].map(bodyOf)).toEqual([{}, {}, {}, {}, { a: 1 }]);
});

test('names a few of many tasks', () => {
  const ids = ['a', 'b', 'c', 'd', 'e'];
  expect([idsText(ids), idsText(ids.slice(0, 3))]).toEqual(['a, b, c and 2 more', 'a, b, c']);
});

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
