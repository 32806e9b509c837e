/**
 * What the Workflow page does over the API: definitions, plans, runs, deliveries. Each act ends in
 * the store; a refusal becomes its `problem`.
 */
import type { ArmClient } from '../../contract/client.ts';
import type { Result } from '../../contract/result.ts';
import type { RunEvent, RunEventsReply } from '../../contract/types.ts';
import type { ArmCalls, CallFailure } from '../link/arm-calls.ts';
import { noticeOf } from '../link/commands.ts';
import { type ReadJson, readJson } from './json-places.ts';
import { isChanged, type WorkStore } from './workflow-store.ts';

type RunAct = 'resume' | 'stop' | 'replan';

/** All sentences of a refusal: a plan that cannot be made has several. */
function refusalWords(refused: CallFailure): string {
  const list = refused.kind === 'refused' && Array.isArray(refused.details) ? refused.details : [];
  const sentences = list.flatMap((one) => {
    const { path, problem } = one as { path?: string; problem?: string };
    return problem ? [path ? `${path} ${problem}` : problem] : [];
  });
  return sentences.length > 1 ? `${sentences.join('. ')}.` : noticeOf(refused).text;
}

/** The name that a definition gives itself. */
export function nameIn(definition: unknown): string {
  const { name } = (definition ?? {}) as { readonly name?: unknown };
  return typeof name === 'string' ? name : '';
}

/** The events of a run, from all pages. */
async function allEvents(client: ArmClient, run_id: number): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const page: RunEventsReply = await client.listRunEvents({ run_id }, { after });
    events.push(...page.events);
    after = page.next;
  }
  return events;
}

export class WorkActs {
  private readonly store: WorkStore;
  private readonly calls: ArmCalls;
  private asked = 0;
  private opened = 0;

  constructor(store: WorkStore, calls: ArmCalls) {
    this.store = store;
    this.calls = calls;
  }

  /** Reads definitions and runs anew. */
  async list(): Promise<void> {
    const [workflows, runs] = await Promise.all([
      this.calls.call((client) => client.listWorkflows()),
      this.calls.call((client) => client.listRuns()),
    ]);
    if (workflows.ok) this.store.set({ workflows: workflows.value.workflows });
    if (runs.ok) this.store.set({ runs: [...runs.value.runs].reverse() });
  }

  /** Opens a stored definition, and the newest run of it that is still on. */
  async open(workflow_id: number): Promise<void> {
    const number = ++this.opened;
    const reply = await this.ask((client) => client.getWorkflow({ workflow_id }));
    // The one that was chosen last is the one that is meant.
    if (!reply || number !== this.opened) return;
    const { name, definition } = reply.workflow;
    this.openText(workflow_id, name, `${JSON.stringify(definition, null, 2)}\n`);
    const live = this.store
      .view()
      .runs.find((run) => run.workflow_id === workflow_id && run.state !== 'stopped');
    if (live) await this.watch(live.id);
    else await this.plan();
  }

  /** Opens a text; what is wrong with it shows at its lines. */
  openText(workflow_id: number | null, name: string, text: string): void {
    this.store.open(workflow_id, name, text);
    void this.check(text);
  }

  /** Takes an edited text over and has it judged. */
  async check(text: string): Promise<void> {
    const read = readJson(text);
    this.store.set({ text });
    const number = ++this.asked;
    if (!read.ok) {
      const { line, message } = read.error;
      const errors = [{ path: '', message, line }];
      this.store.set({ checks: { judged: true, errors, warnings: [] } });
      return;
    }
    const { value: definition } = read.value;
    const named = { definition, name: nameIn(definition) || this.store.view().name };
    this.store.set({ ...named, checks: { ...this.store.view().checks, judged: false } });
    const judged = await this.judge(read.value);
    if (number === this.asked && judged) this.store.set({ checks: judged });
  }

  private async judge({ value, lineOf }: ReadJson) {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) {
      const errors = [{ path: '', message: 'A definition is an object in braces.', line: 1 }];
      return { judged: true, errors, warnings: [] };
    }
    const body = value as Record<string, unknown>;
    const outcome = await this.calls.call((client) => client.validateWorkflow(body));
    if (!outcome.ok) {
      this.store.set({ problem: refusalWords(outcome.error) });
      return null;
    }
    const { errors, warnings } = outcome.value;
    return {
      judged: true,
      warnings,
      errors: errors.map((one) => ({ ...one, line: lineOf(one.path) })),
    };
  }

  /** Stores the text; true when that worked. Pressed twice, it is stored once. */
  async save(): Promise<boolean> {
    const { text, workflow_id, busy } = this.store.view();
    if (busy) return false;
    const read = readJson(text);
    if (!read.ok) return this.refuse(`Line ${read.error.line}: ${read.error.message}`);
    const body = read.value.value as Record<string, unknown>;
    const reply = await this.ask((client) =>
      workflow_id === null
        ? client.createWorkflow(body)
        : client.updateWorkflow({ workflow_id }, body),
    );
    if (!reply) return false;
    this.store.set({ workflow_id: reply.workflow.id, name: reply.workflow.name, saved: text });
    await this.list();
    return true;
  }

  async remove(workflow_id: number): Promise<void> {
    await this.ask((client) => client.deleteWorkflow({ workflow_id }));
    if (this.store.view().workflow_id === workflow_id) this.store.open(null, '', '');
    this.store.set({ mode: 'library' });
    await this.list();
  }

  /** Plans what is open, without running it, and shows the plan. */
  async plan(): Promise<void> {
    if (isChanged(this.store.view()) && !(await this.save())) return;
    const { workflow_id } = this.store.view();
    if (workflow_id === null) return;
    const reply = await this.ask((client) => client.planWorkflow({ workflow_id }));
    const still = this.store.view().workflow_id === workflow_id;
    if (reply && still) {
      this.store.set({ run: null, first: null, preview: reply.plan, mode: 'run' });
    }
  }

  /** Starts a run of what is open. */
  async start(withArm: boolean): Promise<void> {
    if (this.store.view().busy) return;
    if (isChanged(this.store.view()) && !(await this.save())) return;
    const { workflow_id } = this.store.view();
    if (workflow_id === null) return;
    const body = withArm ? {} : { simulate_drivers: true };
    const reply = await this.ask((client) => client.startRun({ workflow_id }, body));
    if (!reply) return;
    await this.watch(reply.run.id);
    await this.list();
  }

  /** Opens a run, with its definition where that is still there. */
  async openRun(run_id: number, workflow_id: number): Promise<void> {
    const reply = await this.calls.call((client) => client.getWorkflow({ workflow_id }));
    if (reply.ok) {
      const { name, definition } = reply.value.workflow;
      this.openText(workflow_id, name, `${JSON.stringify(definition, null, 2)}\n`);
    } else this.store.open(null, '', '');
    await this.watch(run_id);
  }

  private async watch(run_id: number): Promise<void> {
    const reply = await this.ask((client) => client.getRun({ run_id }));
    if (!reply) return;
    this.store.set({ run: null });
    this.store.show(reply.run);
    this.store.set({ mode: 'run' });
    await this.follow();
  }

  /** Reads the run that is looked at anew, with its events and deliveries. */
  async follow(): Promise<void> {
    const run_id = this.store.view().run?.id;
    if (run_id === undefined) return;
    const [run, events, deliveries] = await Promise.all([
      this.calls.call((client) => client.getRun({ run_id })),
      this.calls.call((client) => allEvents(client, run_id)),
      this.calls.call((client) => client.listDeliveries({ run_id })),
    ]);
    if (this.store.view().run?.id !== run_id) return;
    if (run.ok) this.store.show(run.value.run);
    if (events.ok) this.store.set({ events: events.value });
    if (deliveries.ok) this.store.set({ deliveries: deliveries.value.deliveries });
  }

  /** Pauses once what is under way has ended, or at once. */
  pause(immediate: boolean): Promise<void> {
    return this.act((client, run_id) => client.pauseRun({ run_id }, { immediate }));
  }

  steer(act: RunAct): Promise<void> {
    return this.act((client, run_id) => {
      if (act === 'resume') return client.resumeRun({ run_id });
      return act === 'stop' ? client.stopRun({ run_id }) : client.replanRun({ run_id });
    });
  }

  /** Has a failed task done again, or left out. */
  choose(task_id: string, choice: 'retry' | 'skip'): Promise<void> {
    return this.act((client, run_id) =>
      choice === 'retry'
        ? client.retryTask({ run_id }, { task_id })
        : client.skipTask({ run_id }, { task_id }),
    );
  }

  async redeliver(delivery_id: number): Promise<void> {
    await this.ask((client) => client.redeliver({ delivery_id }));
    await this.follow();
  }

  private async act(what: (client: ArmClient, run_id: number) => Promise<unknown>): Promise<void> {
    const { run, busy } = this.store.view();
    if (!run || busy) return;
    await this.ask((client) => what(client, run.id));
    await this.follow();
  }

  /** Says in a sentence what cannot be done. */
  refuse(problem: string): false {
    this.store.set({ problem });
    return false;
  }

  /** The reply of a call, or null after its refusal has become the view's problem. */
  private async ask<Reply>(act: (client: ArmClient) => Promise<Reply>): Promise<Reply | null> {
    this.store.set({ busy: true, problem: null });
    const outcome: Result<Reply, CallFailure> = await this.calls.call(act);
    this.store.set({ busy: false });
    if (outcome.ok) return outcome.value;
    this.refuse(refusalWords(outcome.error));
    return null;
  }
}
