/**
 * Actions of the Workflow page through the API: definitions, plans, runs, deliveries. Each action
 * updates the state; a refusal becomes its `problem`.
 */

import { batch } from '@preact/signals';
import type { ArmClient } from '../../../contract/client.ts';
import { type PositionedJson, readJson } from '../../../contract/json-text.ts';
import type { Result } from '../../../contract/result.ts';
import type { Cell, StartRunBody } from '../../../contract/types.generated.ts';
import type { ArmCalls } from '../../link/arm-calls.ts';
import { type CallFailure, isMissing } from '../../link/call-failure.ts';
import { refusalText } from '../../link/failure-notice.ts';
import type { Place } from '../../ui/place.ts';
import { allEvents } from './all-events.ts';
import { isChanged, type WorkflowState } from './workflow-state.ts';

type RunCommand = 'resume' | 'stop' | 'replan';

/** A valid text that is to be planned, with the number of its check. */
interface DraftToPlan {
  readonly number: number;
  readonly json: PositionedJson;
}

/** The name in a definition. */
export function nameIn(definition: unknown): string {
  const { name } = (definition ?? {}) as { readonly name?: unknown };
  return typeof name === 'string' ? name : '';
}

/** Whether a definition has templates, in place of which tasks are saved. */
function hasTemplates({ workflow }: Record<string, unknown>): boolean {
  const { templates } = (workflow ?? {}) as { readonly templates?: unknown };
  return Array.isArray(templates) && templates.length > 0;
}

function definitionText(definition: unknown): string {
  return `${JSON.stringify(definition, null, 2)}\n`;
}

export class WorkflowActions {
  private readonly state: WorkflowState;
  private readonly calls: ArmCalls;
  private latestCheck = 0;
  private latestOpen = 0;
  private toPlan: DraftToPlan | null = null;
  /** The stored definitions as this page saw them last, by id. */
  private readonly known = new Map<number, string>();

  constructor(state: WorkflowState, calls: ArmCalls) {
    this.state = state;
    this.calls = calls;
  }

  /** Reloads the lists of definitions and runs. */
  async refreshLists(): Promise<void> {
    const [workflows, runs] = await Promise.all([
      this.calls.call((client) => client.listWorkflows()),
      this.calls.call((client) => client.listRuns()),
    ]);
    if (workflows.ok) this.state.workflows.value = workflows.value.workflows;
    if (runs.ok) this.state.runs.value = [...runs.value.runs].reverse();
  }

  /** Opens a stored definition and its newest active run. */
  async open(workflow_id: number): Promise<void> {
    const number = ++this.latestOpen;
    const reply = await this.request((client) => client.getWorkflow({ workflow_id }));
    // Only the last chosen definition opens.
    if (!reply || number !== this.latestOpen) return;
    const { name, definition } = reply.workflow;
    this.openText(workflow_id, name, definitionText(definition));
    const live = this.state.runs.value.find(
      (run) => run.workflow_id === workflow_id && run.state !== 'stopped',
    );
    if (live) await this.watch(live.id);
    else await this.plan();
  }

  /** Opens a text and validates it. */
  openText(workflow_id: number | null, name: string, text: string): void {
    if (workflow_id !== null) this.known.set(workflow_id, JSON.stringify(JSON.parse(text)));
    this.state.open(workflow_id, name, text);
    void this.check(text);
  }

  /** Stores an edited text and validates it. */
  async check(text: string): Promise<void> {
    const read = readJson(text);
    this.state.edit({ text });
    const number = ++this.latestCheck;
    if (!read.ok) {
      const { line, message } = read.error;
      const errors = [{ path: '', message, line }];
      this.state.checks.value = { checked: true, errors, warnings: [] };
      return;
    }
    const { value: definition } = read.value;
    const { definition: shown, checks, draft } = this.state;
    batch(() => {
      shown.value = definition;
      this.state.edit({ name: nameIn(definition) || draft.value.name });
      checks.value = { ...checks.value, checked: false };
    });
    const checked = await this.validate(read.value, {});
    if (number !== this.latestCheck || !checked) return;
    checks.value = checked.checks;
    const isShown = this.state.mode.value === 'json' && checked.checks.errors.length === 0;
    if (isShown) await this.planDraft({ number, json: read.value });
    else this.state.isPlanning.value = false;
  }

  /** Plans a valid text without saving it; during a plan, only the latest text waits. */
  private async planDraft(next: DraftToPlan): Promise<void> {
    const isBusy = this.toPlan !== null;
    this.toPlan = next;
    this.state.isPlanning.value = true;
    if (isBusy) return;
    let done: DraftToPlan | null = null;
    while (done !== this.toPlan) {
      done = this.toPlan;
      const checked = await this.validate(done.json, { plan: 1 });
      if (done.number !== this.latestCheck) continue;
      this.state.isPlanning.value = false;
      if (checked) this.state.checks.value = checked.checks;
      if (checked?.plan) this.state.draftPlan.value = checked.plan;
    }
    this.toPlan = null;
  }

  private async validate({ value, lineOf }: PositionedJson, query: { readonly plan?: number }) {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) {
      const errors = [{ path: '', message: 'A definition must be a JSON object.', line: 1 }];
      return { checks: { checked: true, errors, warnings: [] } };
    }
    const body = value as Record<string, unknown>;
    const outcome = await this.calls.call((client) => client.validateWorkflow(body, query));
    if (!outcome.ok) {
      this.reportProblem(refusalText(outcome.error));
      return null;
    }
    const { errors: found, warnings, plan } = outcome.value;
    const errors = found.map((one) => ({ ...one, line: lineOf(one.path) }));
    return { checks: { checked: true, warnings, errors }, ...(plan && { plan }) };
  }

  /** Saves the text; returns whether that succeeded. A second press while busy does nothing. */
  async save(): Promise<boolean> {
    if (this.state.busy.value) return false;
    const { text, workflow_id } = this.state.draft.value;
    const read = readJson(text);
    if (!read.ok) return this.reportProblem(`Line ${read.error.line}: ${read.error.message}`);
    const body = read.value.value as Record<string, unknown>;
    if (workflow_id !== null && !(await this.isAsKnown(workflow_id))) return false;
    const reply = await this.request((client) =>
      workflow_id === null
        ? client.createWorkflow(body)
        : client.updateWorkflow({ workflow_id }, body),
    );
    if (!reply) return false;
    const { id, name } = reply.workflow;
    this.state.edit({ workflow_id: id, name, saved: text });
    this.known.set(id, JSON.stringify(body));
    if (hasTemplates(body)) await this.showStored(id);
    await this.refreshLists();
    return true;
  }

  /** Shows the stored definition in place of the text: it has the tasks that templates make. */
  private async showStored(workflow_id: number): Promise<void> {
    const reply = await this.request((client) => client.getWorkflow({ workflow_id }));
    if (!reply) return;
    const { definition } = reply.workflow;
    const text = definitionText(definition);
    this.known.set(workflow_id, JSON.stringify(definition));
    this.state.edit({ text, saved: text });
    void this.check(text);
  }

  /** Whether a definition is as this page knows it; says so, once for each change, if it is not. */
  private async isAsKnown(workflow_id: number): Promise<boolean> {
    const found = await this.busyCall((client) => client.getWorkflow({ workflow_id }));
    if (!found.ok) {
      if (!isMissing(found.error)) return this.reportProblem(refusalText(found.error));
      this.state.edit({ workflow_id: null, saved: null });
      return this.reportProblem('It was deleted meanwhile. Save again to keep it as a new one.');
    }
    const theirs = JSON.stringify(found.value.workflow.definition);
    const known = this.known.get(workflow_id) ?? theirs;
    this.known.set(workflow_id, theirs);
    if (theirs === known) return true;
    return this.reportProblem(
      'Another client has changed it meanwhile. Save again to replace that, or open it under All.',
    );
  }

  async remove(workflow_id: number): Promise<void> {
    await this.request((client) => client.deleteWorkflow({ workflow_id }));
    if (this.isOpen(workflow_id)) this.state.open(null, '', '');
    this.state.mode.value = 'library';
    await this.refreshLists();
  }

  /** Plans the open definition without running it, and shows the plan. */
  async plan(): Promise<void> {
    const workflow_id = await this.savedId();
    if (workflow_id === null) return;
    // Shown at once: who chooses another view before the plan is there keeps it.
    const { mode, preview, robustness } = this.state;
    const before = mode.value;
    mode.value = 'run';
    const reply = await this.request((client) => client.planWorkflow({ workflow_id }));
    if (!this.isOpen(workflow_id)) return;
    if (!reply) {
      if (mode.value === 'run') mode.value = before;
      return;
    }
    batch(() => {
      this.state.run.value = null;
      this.state.firstPlan.value = null;
      preview.value = reply.plan;
      robustness.value = null;
    });
  }

  /** Executes the plan of the open definition with scattered durations. */
  async robustness(): Promise<void> {
    const { workflow_id } = this.state.draft.value;
    if (workflow_id === null) return;
    const reply = await this.request((client) => client.getRobustness({ workflow_id }));
    if (reply && this.isOpen(workflow_id)) this.state.robustness.value = reply.robustness;
  }

  /** Starts a run of the open definition; `deck` says what is right where the deck differs. */
  async start(withArm: boolean, deck?: StartRunBody['deck']): Promise<void> {
    if (this.state.busy.value) return;
    const workflow_id = await this.savedId();
    if (workflow_id === null) return;
    const body = { ...(!withArm && { simulate_drivers: true }), ...(deck && { deck }) };
    const reply = await this.request((client) => client.startRun({ workflow_id }, body));
    if (!reply) return;
    await this.watch(reply.run.id);
    await this.refreshLists();
  }

  /** Opens a definition and runs it with the arm, in `cell` where one is given. */
  async runText(text: string, cell: Cell | null): Promise<void> {
    if (cell && !(await this.request((client) => client.setCell(cell)))) return;
    this.openText(null, '', text);
    await this.start(true);
  }

  /** Opens a run, with its definition if it still exists. */
  async openRun(run_id: number, workflow_id: number): Promise<void> {
    const reply = await this.calls.call((client) => client.getWorkflow({ workflow_id }));
    if (reply.ok) {
      const { name, definition } = reply.value.workflow;
      this.openText(workflow_id, name, definitionText(definition));
    } else this.state.open(null, '', '');
    if (!(await this.watch(run_id)) && !reply.ok) this.state.mode.value = 'library';
  }

  /** Opens what an address names: a run, a definition, or the library. */
  async openPlace({ id, params }: Place): Promise<void> {
    const { run, mode: shown } = this.state;
    const run_id = Number(params['run'] ?? 0);
    if (run_id > 0 && run.value?.id !== run_id) await this.openRun(run_id, id ?? 0);
    else if (id !== null && !this.isOpen(id)) await this.open(id);
    const mode = params['tab'];
    // A link to a run that does not exist shows why, and what is left of it.
    const isThere = run_id === 0 || run.value?.id === run_id;
    if ((mode === 'json' || mode === 'run') && isThere) shown.value = mode;
    else if (id === null) shown.value = 'library';
  }

  /** Shows a run; returns whether there is one. */
  private async watch(run_id: number): Promise<boolean> {
    const reply = await this.request((client) => client.getRun({ run_id }));
    if (!reply) return false;
    this.state.run.value = null;
    this.state.showRun(reply.run);
    this.state.mode.value = 'run';
    await this.refreshRun();
    return true;
  }

  /** Reloads the open run with its events and deliveries. */
  async refreshRun(): Promise<void> {
    const run_id = this.state.run.value?.id;
    if (run_id === undefined) return;
    const [run, events, deliveries] = await Promise.all([
      this.calls.call((client) => client.getRun({ run_id })),
      this.calls.call((client) => allEvents(client, run_id)),
      this.calls.call((client) => client.listDeliveries({ run_id })),
    ]);
    if (this.state.run.value?.id !== run_id) return;
    if (!run.ok && isMissing(run.error)) return this.runIsGone(run_id);
    batch(() => {
      if (run.ok) this.state.showRun(run.value.run);
      if (events.ok) this.state.events.value = events.value;
      if (deliveries.ok) this.state.deliveries.value = deliveries.value.deliveries;
    });
  }

  /** Closes a run that the twin no longer has, and what went with it. */
  private async runIsGone(run_id: number): Promise<void> {
    const { draft, mode, workflows } = this.state;
    this.state.closeRun();
    mode.value = draft.value.text ? 'json' : 'library';
    this.reportProblem(`Run ${run_id} no longer exists: the twin was reset.`);
    await this.refreshLists();
    const { workflow_id } = draft.value;
    // What is open is then new: its text would go nowhere else.
    if (workflow_id === null || workflows.value.some(({ id }) => id === workflow_id)) return;
    this.state.edit({ workflow_id: null, saved: null });
  }

  /** Pauses after the active operations have ended, or immediately. */
  pause(immediate: boolean): Promise<void> {
    return this.runAction((client, run_id) => client.pauseRun({ run_id }, { immediate }));
  }

  controlRun(command: RunCommand): Promise<void> {
    return this.runAction((client, run_id) => {
      if (command === 'resume') return client.resumeRun({ run_id });
      return command === 'stop' ? client.stopRun({ run_id }) : client.replanRun({ run_id });
    });
  }

  /** Retries a failed task, completes it by hand with what it returned, or skips it. */
  resolveTask(
    task_id: string,
    choice: 'retry' | 'complete' | 'skip',
    data_outputs?: Record<string, unknown>,
  ): Promise<void> {
    this.state.choices.value = null;
    return this.runAction((client, run_id) =>
      choice === 'retry'
        ? client.retryTask({ run_id }, { task_id })
        : choice === 'complete'
          ? client.completeTask({ run_id }, { task_id, ...(data_outputs && { data_outputs }) })
          : client.skipTask({ run_id }, { task_id }),
    );
  }

  /** Plans every choice for a failed task from the live state. */
  async compareChoices(task_id: string): Promise<void> {
    const run_id = this.state.run.value?.id;
    if (run_id === undefined) return;
    const reply = await this.request((client) => client.whatIf({ run_id }, { task_id }));
    if (reply && this.state.run.value?.id === run_id) {
      this.state.choices.value = { task_id, list: reply.choices };
    }
  }

  async redeliver(delivery_id: number): Promise<void> {
    await this.request((client) => client.redeliver({ delivery_id }));
    await this.refreshRun();
  }

  private async runAction(
    what: (client: ArmClient, run_id: number) => Promise<unknown>,
  ): Promise<void> {
    const run = this.state.run.value;
    if (!run || this.state.busy.value) return;
    await this.request((client) => what(client, run.id));
    await this.refreshRun();
  }

  /** Shows why something cannot be done. */
  reportProblem(problem: string): false {
    this.state.problem.value = problem;
    return false;
  }

  private isOpen(workflow_id: number): boolean {
    return this.state.draft.value.workflow_id === workflow_id;
  }

  /** The id of the open definition, saved if it has changed; null where that is refused. */
  private async savedId(): Promise<number | null> {
    if (isChanged(this.state.draft.value) && !(await this.save())) return null;
    return this.state.draft.value.workflow_id;
  }

  /** Makes a call while which nothing else can be asked for. */
  private async busyCall<Reply>(
    call: (client: ArmClient) => Promise<Reply>,
  ): Promise<Result<Reply, CallFailure>> {
    const { busy, problem } = this.state;
    busy.value = true;
    problem.value = null;
    const outcome = await this.calls.call(call);
    busy.value = false;
    return outcome;
  }

  /** Returns the reply of a call; a refusal becomes the problem, and null is returned. */
  private async request<Reply>(call: (client: ArmClient) => Promise<Reply>): Promise<Reply | null> {
    const outcome = await this.busyCall(call);
    if (outcome.ok) return outcome.value;
    this.reportProblem(refusalText(outcome.error));
    return null;
  }
}
