import { afterEach, expect, it, vi } from 'vitest';
import { ConfirmButton } from './buttons.tsx';
import { draw } from './drawn.cases.ts';

afterEach(() => vi.unstubAllGlobals());

it('acts on the second click, and asks again after the focus has gone', async () => {
  const act = vi.fn();
  const { find, fire } = draw(<ConfirmButton label="Delete" confirm="Delete for good" act={act} />);
  await fire('button', 'click');
  expect([find('button').textContent, act.mock.calls.length]).toEqual(['Delete for good', 0]);
  expect(find('button').className).toContain('danger');
  await fire('button', 'blur');
  expect(find('button').textContent).toBe('Delete');
  await fire('button', 'click');
  await fire('button', 'click');
  expect([find('button').textContent, act.mock.calls.length]).toEqual(['Delete', 1]);
});
