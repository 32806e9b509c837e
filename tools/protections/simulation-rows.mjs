/**
 * The protections of the service that its deterministic simulation must miss: without one of them
 * some of the first seeds finds a violation.
 */

const check = 'server/service-simulation.slow.test.ts';

/** @type {readonly import('./rows.mjs').Protection[]} */
export const SIMULATION_PROTECTIONS = [
  {
    name: 'in simulation: a sync before the acknowledgement',
    check,
    path: 'server/store/journal.ts',
    find: 'await file.sync();\n    if (isNew)',
    put: 'if (isNew)',
  },
  {
    name: 'in simulation: a sync of the folder',
    check,
    path: 'server/store/journal.ts',
    find: 'if (isNew) await this.options.disk.syncFolder(this.options.folder);',
    put: '',
  },
  {
    name: 'in simulation: changes that are visible only after they are durable',
    check,
    path: 'server/store/store.ts',
    find: '      const lines = await (this.journal?.commit(transactions)',
    put: '      const lines = await (this.journal?.commit(transactions).catch(() => [])',
  },
  {
    name: 'in simulation: numbers that are not given again',
    check,
    path: 'server/store/store.ts',
    find: '    this.put(this.counters, sequence, { row: last });',
    put: '    if (last % 5 > 0) this.put(this.counters, sequence, { row: last });',
  },
  {
    name: 'in simulation: one writer',
    check,
    path: 'server/store/journal.ts',
    find: 'if (!(await lock.isHeld())) throw lossError(',
    put: 'if (!lock) throw lossError(',
  },
  {
    name: 'in simulation: an event and its deliveries in one transaction',
    check,
    path: 'server/workflow/archive.ts',
    find: '      withEvents(draft, events);\n    });',
    put: '    });\n    await this.store.change((draft) => withEvents(draft, events));',
  },
  {
    name: 'in simulation: a call that is refused for its time is not done',
    check,
    path: 'server/http/pipeline.ts',
    find: "    if (deadline.passed) return refuse('timed_out');\n    const identity",
    put: '    const identity',
  },
  {
    name: 'in simulation: an idempotency key in the transaction of its object',
    check,
    path: 'server/store/documents.ts',
    find: '      onCreated(draft, id);\n      return id;',
    put: '      return id;',
  },
  {
    name: 'in simulation: deliveries in the order of the events',
    check,
    path: 'server/webhooks/delivery-worker.ts',
    find: '    const key = laneOf(delivery);\n    let lane',
    put: '    const key = String(delivery.id);\n    let lane',
  },
  {
    name: 'in simulation: checks of passwords that are counted before they are made',
    check,
    path: 'server/sessions/password-checks.ts',
    find: 'failures_ms.length + running <',
    put: 'failures_ms.length <',
  },
  {
    name: 'in simulation: a check of the session after the body and before the effect',
    check,
    path: 'server/http/pipeline.ts',
    find: "    if (this.row.auth === 'none') return null;\n    const secret",
    put:
      '    const once = request as { identity?: Identity | IdentityRefusal | null };\n' +
      '    return (once.identity ??= this.identityNow(request));\n' +
      '  }\n\n' +
      '  private identityNow(request: IncomingMessage): Identity | IdentityRefusal | null {\n' +
      "    if (this.row.auth === 'none') return null;\n    const secret",
  },
];
