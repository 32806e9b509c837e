/**
 * What clients know of runs, their events and deliveries over the lives of a service: an
 * acknowledged run stays, its events have no gaps, and each event that fits the hook has exactly
 * one delivery, which the receiver gets with the same body. Test code.
 */

import { setTimeout as wait } from 'node:timers/promises';
import { sampleWorkflow } from '../../../conformance/samples/sample-workflow.ts';
import { hookTypeOf } from '../../../contract/hooks/hook-types.ts';
import type { Delivery, RunEvent, RunHead } from '../../../contract/types.generated.ts';
import { hookBodyText } from '../../webhooks/hook-events.ts';
import type { Receiver } from '../../webhooks/receiver.cases.ts';
import type { Outcome, ServiceCall } from './service-process.cases.ts';

const HOOK_TYPES = ['RunStateChangeHook', 'TaskStateChangeHook'] as const;
const ALL = 'limit=1000';

interface KnownRun {
  events: readonly RunEvent[];
  isStopped: boolean;
  /** All of its deliveries were settled. */
  isOver: boolean;
}

export class RunHistoryModel {
  readonly runs = new Map<number, KnownRun>();
  private readonly receiver: Receiver;
  private readonly violations: string[];
  /** What each delivery was, by its id. */
  private readonly deliveries = new Map<number, string>();
  private workflow_id = 0;
  /** Starts that may have happened, with their keys. */
  private unknown: string[] = [];
  private count = 0;

  constructor(receiver: Receiver, violations: string[]) {
    this.receiver = receiver;
    this.violations = violations;
  }

  /** Saves the workflow of the runs. */
  async prepare(call: ServiceCall): Promise<void> {
    if (this.workflow_id > 0) return;
    const { url } = this.receiver;
    const hooks = HOOK_TYPES.map((type) => ({ type, parameters: { url } }));
    const body = sampleWorkflow({ hooks });
    const { reply } = await call(['POST', '/workflow/v1/workflows', body]);
    this.workflow_id = (reply as { workflow: { id: number } }).workflow.id;
  }

  private startWith(call: ServiceCall, key: string) {
    const path = `/workflow/v1/workflows/${this.workflow_id}/runs`;
    return call(['POST', path, { simulate_drivers: true }], key);
  }

  async start(call: ServiceCall): Promise<Outcome> {
    const key = `run ${++this.count}`;
    const { outcome, reply } = await this.startWith(call, key);
    if (outcome === 'unknown') this.unknown.push(key);
    if (outcome === 'ok') this.add((reply as { run: RunHead }).run.id);
    return outcome;
  }

  private add(id: number): void {
    if (this.runs.has(id)) this.violations.push(`run ${id} was given twice`);
    this.runs.set(id, { events: [], isStopped: false, isOver: false });
  }

  async stop(call: ServiceCall, id: number): Promise<Outcome> {
    const { outcome } = await call(['POST', `/workflow/v1/runs/${id}/stop`]);
    if (outcome === 'ok') this.runs.get(id)!.isStopped = true;
    return outcome;
  }

  /** Compares the service with what is known; `all` checks runs again that are over. */
  async check(call: ServiceCall, all = false): Promise<void> {
    const { reply } = await call(['GET', '/workflow/v1/runs']);
    const heads = new Map((reply as { runs: RunHead[] }).runs.map((head) => [head.id, head]));
    for (const [id, known] of this.runs) {
      const head = heads.get(id);
      if (!head) this.violations.push(`run ${id} is lost`);
      else if (known.isStopped && head.state !== 'stopped') {
        this.violations.push(`run ${id} is ${head.state}, after its stop was acknowledged`);
      }
    }
    await this.repeatUnknown(call, [...heads.keys()]);
    for (const [id, known] of this.runs) if (all || !known.isOver) await this.checkRun(call, id);
  }

  /** Resolves when the deliveries of the runs are settled, or after a while. */
  async settled(call: ServiceCall): Promise<void> {
    for (let waited = 0; waited < 30; waited++) {
      const { reply } = await call(['GET', `/workflow/v1/webhooks/deliveries?${ALL}`]);
      const { deliveries } = reply as { deliveries: Delivery[] };
      if (deliveries.every(({ state }) => state !== 'pending')) return;
      await wait(50);
    }
  }

  /** Makes starts of unknown outcome again: each gives a run that is there, or a new one. */
  private async repeatUnknown(call: ServiceCall, before: readonly number[]): Promise<void> {
    const strangers = new Set(before.filter((id) => !this.runs.has(id)));
    if (strangers.size > this.unknown.length) {
      this.violations.push(`runs ${[...strangers].join(', ')} were not started by a client`);
    }
    for (const key of this.unknown.splice(0)) {
      const { outcome, reply } = await this.startWith(call, key);
      if (outcome !== 'ok') continue;
      const { id } = (reply as { run: RunHead }).run;
      strangers.delete(id);
      this.add(id);
    }
    for (const id of strangers) this.violations.push(`run ${id} was started twice with one key`);
  }

  private async checkRun(call: ServiceCall, id: number): Promise<void> {
    const known = this.runs.get(id)!;
    const events = await this.eventsOf(call, id);
    const deliveries = await this.deliveriesOf(call, id);
    // Events that came between the two replies have no delivery here yet.
    const later = await this.eventsOf(call, id);
    events.forEach(({ sequence }, at) => {
      if (sequence !== at + 1) this.violations.push(`run ${id}: event ${sequence} at ${at + 1}`);
    });
    const isPrefix = known.events.every((event, at) => isEqual(event, events[at]));
    if (!isPrefix) this.violations.push(`run ${id}: its events have changed`);
    known.events = events;
    for (const event of events) this.checkEvent(id, event, deliveries);
    for (const delivery of deliveries) this.checkDelivery(delivery, later);
    known.isOver =
      later.length === events.length &&
      deliveries.length > 0 &&
      deliveries.every(({ state }) => state !== 'pending') &&
      events.some(({ body }) => 'state' in body && body.state === 'stopped');
  }

  private async eventsOf(call: ServiceCall, id: number): Promise<readonly RunEvent[]> {
    const { reply } = await call(['GET', `/workflow/v1/runs/${id}/events?${ALL}`]);
    return (reply as { events?: RunEvent[] } | null)?.events ?? [];
  }

  private async deliveriesOf(call: ServiceCall, id: number): Promise<readonly Delivery[]> {
    const path = `/workflow/v1/webhooks/deliveries?run_id=${id}&${ALL}`;
    const { reply } = await call(['GET', path]);
    return (reply as { deliveries?: Delivery[] } | null)?.deliveries ?? [];
  }

  private checkEvent(id: number, event: RunEvent, deliveries: readonly Delivery[]): void {
    const { sequence, hook_type } = event;
    const own = deliveries.filter((one) => one.sequence === sequence);
    const wanted = HOOK_TYPES.some(
      (type) => hookTypeOf({ type, parameters: { url: '' } }) === hook_type,
    );
    if (own.length !== Number(wanted)) {
      this.violations.push(`run ${id}: event ${sequence} has ${own.length} deliveries`);
    }
    if (own[0] && own[0].body !== hookBodyText(event)) {
      this.violations.push(`run ${id}: the delivery of event ${sequence} has another body`);
    }
  }

  private checkDelivery(
    { id, message_id, run_id, sequence, body, state }: Delivery,
    events: readonly RunEvent[],
  ) {
    const identity = `${message_id} of event ${sequence} of run ${run_id}`;
    const before = this.deliveries.get(id) ?? identity;
    this.deliveries.set(id, identity);
    if (before !== identity) this.violations.push(`delivery ${id} was ${before}, is ${identity}`);
    if (!events.some((event) => event.sequence === sequence)) {
      this.violations.push(`delivery ${id} is of event ${sequence}, which run ${run_id} has not`);
    }
    const received = this.receiver.received.filter(
      ({ headers }) => headers['webhook-id'] === message_id,
    );
    if (state === 'delivered' && received.length === 0) {
      this.violations.push(`delivery ${id} counts as delivered, and was not received`);
    }
    if (received.some(({ text }) => text !== body)) {
      this.violations.push(`delivery ${id} was received with another body`);
    }
  }
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
