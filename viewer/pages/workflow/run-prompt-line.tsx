import { useSignal } from '@preact/signals';
import type { RunPrompt } from '../../../contract/types.generated.ts';
import { Button } from '../../ui/buttons.tsx';
import { Icon } from '../../ui/drawn-icon.tsx';
import { TextField } from '../../ui/fields.tsx';
import { promptOf, typedResults } from './run-questions.ts';
import type { WorkflowProps } from './workflow-props.ts';

/** Fields for what a task has to return, and the button that says it is done. */
function Answer({ prompt, state, actions }: WorkflowProps & { readonly prompt: RunPrompt }) {
  const typed = useSignal<Readonly<Record<string, string>>>({});
  const { task_id, outputs } = prompt;
  function done(): void {
    const given = typedResults(outputs.map((name) => [name, typed.value[name]] as const));
    void actions.resolveTask(task_id, 'complete', given);
  }
  return (
    <>
      <span class="work-prompt-results">
        {outputs.map((name) => (
          <TextField
            key={name}
            label={name}
            value={typed.value[name] ?? ''}
            set={(text) => {
              typed.value = { ...typed.value, [name]: text };
            }}
          />
        ))}
      </span>
      <Button class="primary" disabled={state.busy.value} onClick={done}>
        <Icon name="done" />
        <span>Done</span>
      </Button>
    </>
  );
}

/** What a running task asks a person to do. What is typed stays while the run goes on. */
export function RunPromptLine({ state, actions }: WorkflowProps) {
  const prompt = promptOf(state.run.value);
  return (
    <p class="work-prompt" role="status" hidden={prompt === null}>
      <span>{prompt && `${prompt.instrument_id}, ${prompt.task_id}: ${prompt.prompt}`}</span>
      {prompt && <Answer key={prompt.task_id} prompt={prompt} state={state} actions={actions} />}
    </p>
  );
}
