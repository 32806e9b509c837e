/**
 * Actions of the Workflow page through the API: definitions, plans, runs, deliveries. Each action
 * updates the store; a refusal becomes its `problem`.
 */

import type { ArmClient } from '../../../contract/client.ts';
import { type PositionedJson, readJson } from '../../../contract/json-text.ts';
import type { Result } from '../../../contract/result.ts';
import type { Cell, StartRunBody } from '../../../contract/types.generated.ts';
import type { ArmCalls } from '../../link/arm-calls.ts';
import { type CallFailure, isMissing } from '../../link/call-failure.ts';
import { refusalText } from '../../link/failure-notice.ts';
import type { Place } from '../../ui/place.ts';
import { allEvents } from './all-events.ts';
import type { DraftToPlan } from './draft-history.ts';
import type { WorkflowStore } from './workflow-store.ts';
import { isChanged } from './workflow-view.ts';

type RunCommand = 'resume' | 'stop' | 'replan';

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
  private readonly store: WorkflowStore;
  private readonly calls: ArmCalls;
  private latestCheck = 0;
  private latestOpen = 0;
  private toPlan: DraftToPlan | null = null;
  /** The stored definitions as this page saw them last, by id. */
  private readonly known = new Map<number, string>();

  constructor(store: WorkflowStore, calls: ArmCalls) {
    this.store = store;
    this.calls = calls;
  }

  /** Reloads the lists of definitions and runs. */
  async refreshLists(): Promise<void> {
    const [workflows, runs] = await Promise.all([
      this.calls.call((client) => client.listWorkflows()),
      this.calls.call((client) => client.listRuns()),
    ]);
    // Equal lists stay as they are: a button that asks for a second press keeps asking.
    const now = this.store.view();
    const isNew = (list: unknown, known: unknown) => JSON.stringify(list) !== JSON.stringify(known);
    if (workflows.ok && isNew(workflows.value.workflows, now.workflows)) {
      this.store.set({ workflows: workflows.value.workflows });
    }
    const newest = runs.ok ? [...runs.value.runs].reverse() : now.runs;
    if (isNew(newest, now.runs)) this.store.set({ runs: newest });
  }

  /** Opens a stored definition and its newest active run. */
  async open(workflow_id: number): Promise<void> {
    const number = ++this.latestOpen;
    const reply = await this.request((client) => client.getWorkflow({ workflow_id }));
    // Only the last chosen definition opens.
    if (!reply || number !== this.latestOpen) return;
    const { name, definition } = reply.workflow;
    this.openText(workflow_id, name, definitionText(definition));
    const live = this.store
      .view()
      .runs.find((run) => run.workflow_id === workflow_id && run.state !== 'stopped');
    if (live) await this.watch(live.id);
    else await this.plan();
  }

  /** Opens a text and validates it. */
  openText(workflow_id: number | null, name: string, text: string): void {
    if (workflow_id !== null) this.known.set(workflow_id, JSON.stringify(JSON.parse(text)));
    this.store.open(workflow_id, name, text);
    void this.check(text);
  }

  /** Stores an edited text and validates it. */
  async check(text: string): Promise<void> {
    const read = readJson(text);
    this.store.set({ text });
    const number = ++this.latestCheck;
    if (!read.ok) {
      const { line, message } = read.error;
      const errors = [{ path: '', message, line }];
      this.store.set({ checks: { checked: true, errors, warnings: [] } });
      return;
    }
    const { value: definition } = read.value;
    const named = { definition, name: nameIn(definition) || this.store.view().name };
    this.store.set({ ...named, checks: { ...this.store.view().checks, checked: false } });
    const checked = await this.validate(read.value, {});
    if (number !== this.latestCheck || !checked) return;
    this.store.set({ checks: checked.checks });
    const isShown = this.store.view().mode === 'json' && checked.checks.errors.length === 0;
    if (isShown) await this.planDraft({ number, json: read.value });
    else this.store.set({ isPlanning: false });
  }

  /** Plans a valid text without saving it; during a plan, only the latest text waits. */
  private async planDraft(next: DraftToPlan): Promise<void> {
    const isBusy = this.toPlan !== null;
    this.toPlan = next;
    this.store.set({ isPlanning: true });
    if (isBusy) return;
    let done: DraftToPlan | null = null;
    while (done !== this.toPlan) {
      done = this.toPlan;
      const checked = await this.validate(done.json, { plan: 1 });
      if (done.number !== this.latestCheck) continue;
      const { checks, plan } = checked ?? {};
      this.store.set({
        isPlanning: false,
        ...(checks && { checks }),
        ...(plan && { draft: plan }),
      });
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
      this.store.set({ problem: refusalText(outcome.error) });
      return null;
    }
    const { errors: found, warnings, plan } = outcome.value;
    const errors = found.map((one) => ({ ...one, line: lineOf(one.path) }));
    return { checks: { checked: true, warnings, errors }, ...(plan && { plan }) };
  }

  /** Saves the text; returns whether that succeeded. A second press while busy does nothing. */
  async save(): Promise<boolean> {
    const { text, workflow_id, busy } = this.store.view();
    if (busy) return false;
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
    this.store.set({ workflow_id: reply.workflow.id, name: reply.workflow.name, saved: text });
    this.known.set(reply.workflow.id, JSON.stringify(body));
    if (hasTemplates(body)) await this.showStored(reply.workflow.id);
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
    this.store.set({ text, saved: text });
    void this.check(text);
  }

  /** Whether a definition is as this page knows it; says so, once for each change, if it is not. */
  private async isAsKnown(workflow_id: number): Promise<boolean> {
    this.store.set({ busy: true, problem: null });
    const found = await this.calls.call((client) => client.getWorkflow({ workflow_id }));
    this.store.set({ busy: false });
    if (!found.ok) {
      if (!isMissing(found.error)) return this.reportProblem(refusalText(found.error));
      this.store.set({ workflow_id: null, saved: null });
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
    if (this.store.view().workflow_id === workflow_id) this.store.open(null, '', '');
    this.store.set({ mode: 'library' });
    await this.refreshLists();
  }

  /** Plans the open definition without running it, and shows the plan. */
  async plan(): Promise<void> {
    if (isChanged(this.store.view()) && !(await this.save())) return;
    const { workflow_id } = this.store.view();
    if (workflow_id === null) return;
    // Shown at once: who chooses another view before the plan is there keeps it.
    const { mode } = this.store.view();
    this.store.set({ mode: 'run' });
    const reply = await this.request((client) => client.planWorkflow({ workflow_id }));
    const now = this.store.view();
    if (now.workflow_id !== workflow_id) return;
    if (reply) {
      this.store.set({ run: null, firstPlan: null, preview: reply.plan, robustness: null });
    } else if (now.mode === 'run') this.store.set({ mode });
  }

  /** Executes the plan of the open definition with scattered durations. */
  async robustness(): Promise<void> {
    const { workflow_id } = this.store.view();
    if (workflow_id === null) return;
    const reply = await this.request((client) => client.getRobustness({ workflow_id }));
    if (reply && this.store.view().workflow_id === workflow_id) {
      this.store.set({ robustness: reply.robustness });
    }
  }

  /** Starts a run of the open definition; `deck` says what is right where the deck differs. */
  async start(withArm: boolean, deck?: StartRunBody['deck']): Promise<void> {
    if (this.store.view().busy) return;
    if (isChanged(this.store.view()) && !(await this.save())) return;
    const { workflow_id } = this.store.view();
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
    } else this.store.open(null, '', '');
    if (!(await this.watch(run_id)) && !reply.ok) this.store.set({ mode: 'library' });
  }

  /** Opens what an address names: a run, a definition, or the library. */
  async openPlace({ id, params }: Place): Promise<void> {
    const { workflow_id, run } = this.store.view();
    const run_id = Number(params['run'] ?? 0);
    if (run_id > 0 && run?.id !== run_id) await this.openRun(run_id, id ?? 0);
    else if (id !== null && id !== workflow_id) await this.open(id);
    const mode = params['tab'];
    // A link to a run that does not exist shows why, and what is left of it.
    const isShown = run_id === 0 || this.store.view().run?.id === run_id;
    if ((mode === 'json' || mode === 'run') && isShown) this.store.set({ mode });
    else if (id === null) this.store.set({ mode: 'library' });
  }

  /** Shows a run; returns whether there is one. */
  private async watch(run_id: number): Promise<boolean> {
    const reply = await this.request((client) => client.getRun({ run_id }));
    if (!reply) return false;
    this.store.set({ run: null });
    this.store.showRun(reply.run);
    this.store.set({ mode: 'run' });
    await this.refreshRun();
    return true;
  }

  /** Reloads the open run with its events and deliveries. */
  async refreshRun(): Promise<void> {
    const run_id = this.store.view().run?.id;
    if (run_id === undefined) return;
    const [run, events, deliveries] = await Promise.all([
      this.calls.call((client) => client.getRun({ run_id })),
      this.calls.call((client) => allEvents(client, run_id)),
      this.calls.call((client) => client.listDeliveries({ run_id })),
    ]);
    if (this.store.view().run?.id !== run_id) return;
    if (!run.ok && isMissing(run.error)) return this.runIsGone(run_id);
    if (run.ok) this.store.showRun(run.value.run);
    if (events.ok) this.store.set({ events: events.value });
    if (deliveries.ok) this.store.set({ deliveries: deliveries.value.deliveries });
  }

  /** Closes a run that the twin no longer has, and what went with it. */
  private async runIsGone(run_id: number): Promise<void> {
    const { text } = this.store.view();
    this.store.closeRun();
    this.store.set({ mode: text ? 'json' : 'library' });
    this.reportProblem(`Run ${run_id} no longer exists: the twin was reset.`);
    await this.refreshLists();
    const { workflow_id, workflows } = this.store.view();
    // What is open is then new: its text would go nowhere else.
    if (workflow_id === null || workflows.some(({ id }) => id === workflow_id)) return;
    this.store.set({ workflow_id: null, saved: null });
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
    this.store.set({ choices: null });
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
    const run_id = this.store.view().run?.id;
    if (run_id === undefined) return;
    const reply = await this.request((client) => client.whatIf({ run_id }, { task_id }));
    if (reply && this.store.view().run?.id === run_id) {
      this.store.set({ choices: { task_id, list: reply.choices } });
    }
  }

  async redeliver(delivery_id: number): Promise<void> {
    await this.request((client) => client.redeliver({ delivery_id }));
    await this.refreshRun();
  }

  private async runAction(
    what: (client: ArmClient, run_id: number) => Promise<unknown>,
  ): Promise<void> {
    const { run, busy } = this.store.view();
    if (!run || busy) return;
    await this.request((client) => what(client, run.id));
    await this.refreshRun();
  }

  /** Shows why something cannot be done. */
  reportProblem(problem: string): false {
    this.store.set({ problem });
    return false;
  }

  /** Returns the reply of a call; on refusal sets the view's problem and returns null. */
  private async request<Reply>(call: (client: ArmClient) => Promise<Reply>): Promise<Reply | null> {
    this.store.set({ busy: true, problem: null });
    const outcome: Result<Reply, CallFailure> = await this.calls.call(call);
    this.store.set({ busy: false });
    if (outcome.ok) return outcome.value;
    this.reportProblem(refusalText(outcome.error));
    return null;
  }
}
