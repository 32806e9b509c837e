/** A form with the message of its result. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren, TargetedSubmitEvent } from 'preact';
import type { Result } from '../../contract/result.ts';
import type { Draft } from './draft.ts';

/** What a form says: that it succeeded, or what was wrong; null for nothing. */
export type Message = Result<string, string> | null;

/** The message of a form; both lines are always there, so that screen readers follow them. */
export function FormMessage({ of }: { readonly of: Message }) {
  return (
    <div class="form-message">
      <p class="form-problem" role="alert">
        {of?.ok === false && of.error}
      </p>
      <p class="form-success" role="status">
        {of?.ok && of.value}
      </p>
    </div>
  );
}

interface FormProps<Values extends object> {
  /** The label of its button. */
  readonly action: string;
  readonly draft: Draft<Values>;
  /** Runs once at a time: the button is disabled until it has ended. Success clears the draft. */
  readonly submit: (values: Values) => Promise<Message>;
  readonly children: ComponentChildren;
}

/** A form that runs `submit`, with its button and its message at the end. */
export function Form<Values extends object>({
  action,
  draft,
  submit,
  children,
}: FormProps<Values>) {
  const busy = useSignal(false);
  const message = useSignal<Message>(null);
  async function run(event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    busy.value = true;
    try {
      message.value = await submit(draft.values());
      if (message.value?.ok) draft.clear();
    } finally {
      busy.value = false;
    }
  }
  return (
    <form class="form-row" onSubmit={run}>
      {children}
      <button type="submit" class="plain" disabled={busy}>
        {action}
      </button>
      <FormMessage of={message.value} />
    </form>
  );
}
