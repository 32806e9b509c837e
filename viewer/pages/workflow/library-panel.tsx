/** Lists of workflow definitions and of runs. */
import type { ReadonlySignal } from '@preact/signals';
import type { ArmView } from '../../link/arm-view.ts';
import { Button, ConfirmButton } from '../../ui/buttons.tsx';
import { Empty } from '../../ui/empty.tsx';
import { FileButton } from '../../ui/file-button.tsx';
import { Table } from '../../ui/table.tsx';
import { timeOfDayText } from '../../ui/value-text.ts';
import { ArmSample } from './arm-sample.tsx';
import { runHeadText } from './run-figures.ts';
import { SAMPLE } from './sample-definition.ts';
import type { WorkflowProps } from './workflow-props.ts';

/** A definition to begin with. */
const EMPTY = {
  name: 'New workflow',
  workflow: { labware: [], tasks: {}, hooks: [] },
  workcell: {
    workcell_id: 'bench',
    instruments: [{ id: 'hotel', name: 'Plate hotel', type: 'hotel', capacity: 10 }],
    transport_matrix: { default: 15 },
  },
} as const;

const RUNS_SHOWN = 100;

function NameButton({ name, open }: { readonly name: string; readonly open: () => unknown }) {
  return (
    <Button class="link" onClick={open}>
      <bdi>{name}</bdi>
    </Button>
  );
}

function WorkflowsTable({ state, actions }: WorkflowProps) {
  return (
    <Table
      class="work-table"
      caption="Workflows"
      of={state.workflows.value}
      id={({ id }) => id}
      columns={{
        Name: ({ id, name }) => <NameButton name={name} open={() => actions.open(id)} />,
        Warnings: ({ warnings: { length } }) =>
          length > 0 && (
            <span class="sub">{`${length} ${length === 1 ? 'warning' : 'warnings'}`}</span>
          ),
        '': ({ id }) => (
          <ConfirmButton
            label="Delete"
            confirm="Delete permanently"
            act={() => actions.remove(id)}
          />
        ),
      }}
    />
  );
}

function RunsTable({ state, actions }: WorkflowProps) {
  return (
    <Table
      class="work-table"
      caption="Runs"
      of={state.runs.value.slice(0, RUNS_SHOWN)}
      id={({ id }) => id}
      columns={{
        Name: ({ id, workflow_id, name }) => (
          <NameButton name={`${name}, run ${id}`} open={() => actions.openRun(id, workflow_id)} />
        ),
        Started: ({ started_at }) => (
          <span class="whole">{timeOfDayText(new Date(started_at)).slice(0, 8)}</span>
        ),
        State: runHeadText,
      }}
    />
  );
}

interface LibraryPanelProps extends WorkflowProps {
  readonly arm: ReadonlySignal<ArmView>;
}

/** The lists of the user's definitions and runs. */
export function LibraryPanel({ state, actions, arm }: LibraryPanelProps) {
  const open = (definition: object) =>
    actions.openText(null, '', `${JSON.stringify(definition, null, 2)}\n`);
  return (
    <main class="work-library" aria-label="All workflows and runs">
      <h3>Workflows</h3>
      {state.workflows.value.length === 0 && (
        <Empty>No workflows yet. Run or open the sample, open a file, or start a new one.</Empty>
      )}
      <WorkflowsTable state={state} actions={actions} />
      <ArmSample arm={arm} actions={actions}>
        <FileButton
          onText={(name, text) => actions.openText(null, name, text)}
          onProblem={(problem) => actions.reportProblem(problem)}
        >
          Open a file
        </FileButton>
        <Button onClick={() => open(SAMPLE)}>Open the sample</Button>
        <Button onClick={() => open(EMPTY)}>New workflow</Button>
      </ArmSample>
      <h3>Runs</h3>
      {state.runs.value.length === 0 && <Empty>No runs yet.</Empty>}
      <RunsTable state={state} actions={actions} />
    </main>
  );
}
