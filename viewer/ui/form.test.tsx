import { act } from 'preact/test-utils';
import { afterEach, expect, it, vi } from 'vitest';
import { failure, success } from '../../contract/result.ts';
import { useDraft } from './draft.ts';
import { draw } from './drawn.cases.ts';
import { Form, type Message } from './form.tsx';

afterEach(() => vi.unstubAllGlobals());

/** A form of one name, and what ends the call that it has made. */
function nameForm() {
  let reply = (_message: Message): void => undefined;
  const replied = new Promise<Message>((resolve) => {
    reply = resolve;
  });
  function NameForm() {
    const draft = useDraft({ name: 'crate' });
    return (
      <Form action="Add" draft={draft} submit={() => replied}>
        <b>{draft.field('name').value}</b>
        <input onInput={() => draft.field('name').set('box')} />
      </Form>
    );
  }
  const end = (message: Message) =>
    act(async () => {
      reply(message);
      await replied;
    });
  return { ...draw(<NameForm />), end };
}

it('disables its button while it runs, and says what was wrong', async () => {
  const { find, fire, end } = nameForm();
  await fire('input', 'input');
  await fire('form', 'submit');
  expect(find('button').hasAttribute('disabled')).toBe(true);
  expect(find('[role=alert]').textContent).toBe('');
  await end(failure('The name is taken.'));
  expect(find('[role=alert]').textContent).toBe('The name is taken.');
  expect(find('[role=status]').textContent).toBe('');
  expect(find('button').hasAttribute('disabled')).toBe(false);
  expect(find('b').textContent).toBe('box');
});

it('clears what was typed once it has succeeded', async () => {
  const { find, fire, end } = nameForm();
  await fire('input', 'input');
  await fire('form', 'submit');
  await end(success('Added.'));
  expect([find('[role=status]').textContent, find('b').textContent]).toEqual(['Added.', 'crate']);
});
