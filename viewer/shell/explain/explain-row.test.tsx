import { signal } from '@preact/signals';
import { act } from 'preact/test-utils';
import { afterEach, expect, it, vi } from 'vitest';
import { draw } from '../../ui/drawn.cases.ts';
import { ExplainRow } from './explain-row.tsx';
import { call, type Explanation } from './explanation.ts';

const STOP: Explanation = {
  ...{ cause: 'estop', tone: 'fault', sentence: 'It is pressed for 0:01.' },
  remedies: [call('Release', async () => undefined)],
};

afterEach(() => vi.unstubAllGlobals());

function drawLine() {
  const said = signal<Explanation | null>(null);
  const acted = vi.fn(async () => undefined);
  const Line = () => <ExplainRow of={said.value} act={acted} as="div" />;
  const say = (next: Explanation) =>
    act(() => {
      said.value = next;
    });
  return { ...draw(<Line />), acted, say };
}

it('keeps its button while only the sentence of a cause changes', async () => {
  const { find, say } = drawLine();
  await say(STOP);
  const button = find('button');
  await say({ ...STOP, sentence: 'It is pressed for 0:02.' });
  expect(find('p').textContent).toBe('It is pressed for 0:02.');
  expect(find('button')).toBe(button);
});

it('gives another cause a button of its own, in the row that screen readers follow', async () => {
  const { find, say } = drawLine();
  const row = find('[role="status"]');
  expect(find('.explain-remedies').hasAttribute('hidden')).toBe(true);
  await say(STOP);
  const button = find('button');
  await say({ ...STOP, cause: 'door', tone: 'warn' });
  expect(find('button')).not.toBe(button);
  expect(find('[role="status"]')).toBe(row);
  expect([row.dataset['cause'], row.dataset['tone']]).toEqual(['door', 'warn']);
});

it('carries out the remedy that stands there now, once at a time', async () => {
  const { say, fire, acted } = drawLine();
  let end = (): void => undefined;
  acted.mockReturnValueOnce(new Promise<undefined>((resolve) => (end = () => resolve(undefined))));
  await say(STOP);
  await fire('button', 'click');
  await fire('button', 'click');
  expect(acted).toHaveBeenCalledOnce();
  end();
  const [release] = STOP.remedies;
  expect(acted).toHaveBeenCalledWith(release);
});
