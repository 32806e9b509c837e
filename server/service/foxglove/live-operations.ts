/**
 * Parameters and services of the live connection. Services are calls of the simulation control API
 * (decision D8), for admins: their requests have the schemas of the API and run its handlers.
 * Parameters show the arm's URDF, its names and the clock; the clock can be set.
 */

import { errorReply } from '../../../contract/errors.ts';
import { type Refusal, refuse } from '../../../contract/refusal.ts';
import { routeOf } from '../../../contract/routes.ts';
import { type SchemaId, schemaOf } from '../../../contract/schemas.ts';
import { validate } from '../../../contract/validator.ts';
import { armAsUrdf } from '../../../physics/formats/urdf.ts';
import { paceName } from '../../clock/clock.ts';
import type { SessionCall } from '../http/call.ts';
import type { Handlers } from '../http/handler.ts';
import { recordNothing } from '../http/idempotency.ts';
import type { Answer } from '../http/reply.ts';
import type { Services } from '../http/services.ts';
import type { LiveClient, ServiceCall } from './live-client.ts';

/** The services with the call of /sim/v1 that each makes. */
const SERVICES = [
  { name: '/clock/get', route: 'getClock' },
  { name: '/clock/set', route: 'setClock' },
  { name: '/clock/step', route: 'stepClock' },
  { name: '/clock/advance', route: 'advanceClock' },
  { name: '/reset', route: 'resetTwin' },
] as const;

type ServiceRow = (typeof SERVICES)[number];

export interface LiveOperationsParts {
  readonly services: Services;
  /** Handlers of /sim/v1; null where it is disabled. */
  readonly handlers: Handlers | null;
  readonly driver: string;
  /** Called with what a handler throws. */
  readonly onBug: (error: unknown) => void;
}

function bodyOf({ route }: ServiceRow): SchemaId | null {
  const row = routeOf(route);
  return 'body' in row ? (row.body as SchemaId) : null;
}

function jsonSide(name: string, schema: object) {
  const text = JSON.stringify(schema);
  return { encoding: 'json', schemaName: name, schemaEncoding: 'jsonschema', schema: text };
}

const ANY_OBJECT = { type: 'object' };

/** A sentence from a refusal, for a client that shows nothing else. */
function sentenceOf({ refused, details }: Refusal): string {
  const { error } = errorReply(refused, details);
  const text = typeof details === 'string' ? details : JSON.stringify(details ?? null);
  return details === null || details === undefined ? error.title : `${error.title}: ${text}`;
}

export class LiveOperations {
  private readonly parts: LiveOperationsParts;

  constructor(parts: LiveOperationsParts) {
    this.parts = parts;
  }

  /** The services that a client may call; none without /sim/v1 or for users. */
  advertised({ caller }: LiveClient): readonly object[] {
    if (!this.parts.handlers || caller.role !== 'admin') return [];
    return SERVICES.map((row, id) => {
      const body = bodyOf(row);
      const request = jsonSide(body ?? 'Empty', body ? schemaOf(body) : ANY_OBJECT);
      return { id, name: row.name, type: row.route, request, response: jsonSide('', ANY_OBJECT) };
    });
  }

  /** Executes a call of a service and answers it. */
  async call(client: LiveClient, call: ServiceCall): Promise<void> {
    const answer = await this.execute(client, call).catch((error: unknown) => {
      this.parts.onBug(error);
      return refuse('internal');
    });
    if ('refused' in answer) {
      const { service_id: serviceId, call_id: callId } = call;
      client.send({ op: 'serviceCallFailure', serviceId, callId, message: sentenceOf(answer) });
    } else client.reply(call, answer.reply);
  }

  private async execute(client: LiveClient, call: ServiceCall): Promise<Answer> {
    const row = SERVICES[call.service_id];
    if (!row) return refuse('not_found', `There is no service ${call.service_id}`);
    if (call.encoding !== 'json') {
      return refuse('wrong_content_type', `The encoding must be json, not ${call.encoding}`);
    }
    let body: unknown;
    try {
      body = JSON.parse(call.data.toString() || '{}');
    } catch (error) {
      return refuse('malformed_body', String(error));
    }
    return this.run(client, row, body);
  }

  /** Runs a call of /sim/v1 as the pipeline does: identity, role, schema, handler. */
  private async run(client: LiveClient, row: ServiceRow, given: unknown): Promise<Answer> {
    const { services, handlers } = this.parts;
    const { session } = client;
    if (!handlers) return refuse('not_supported', 'The simulation control API is disabled');
    if (services.users.find(session.user_id)?.role !== 'admin') return refuse('role_too_low');
    const id = bodyOf(row);
    const checked = id ? validate(id, given, { dialect: 'documented' }) : null;
    if (checked && !checked.ok) return refuse('invalid_arguments', checked.error);
    const call: SessionCall = {
      row: routeOf(row.route),
      body: checked ? checked.value.value : {},
      parameters: {},
      names: {},
      query: {},
      filters: {},
      dialect: 'documented',
      origin: { address: '' },
      deadline: { passed: false, isLeft: false, isCommitted: true },
      caller: client.caller,
      session,
      recheck: () => null,
      record: recordNothing,
      lastEventId: null,
    };
    const handler = handlers[row.route] as (
      call: SessionCall,
      services: Services,
    ) => Answer | Promise<Answer>;
    return handler(call, services);
  }

  /** All parameters with their values. */
  parameters(): ReadonlyMap<string, unknown> {
    const { services, driver } = this.parts;
    const { clock, database, robot } = services;
    return new Map<string, unknown>([
      ['/robot_description', URDF],
      ['/name', database.name],
      ['/driver', driver],
      ['/state', robot.memory.state],
      ['/clock/pace', paceName(clock.pace)],
      ['/clock/paused', clock.paused],
    ]);
  }

  /** Sets parameters; returns why one of them was not set. */
  async set(client: LiveClient, values: ReadonlyMap<string, unknown>): Promise<string | null> {
    for (const [name, value] of values) {
      const body =
        name === '/clock/pace'
          ? { pace: Number(value) > 0 ? Number(value) : value }
          : name === '/clock/paused'
            ? { paused: value }
            : null;
      if (body === null) return `The parameter ${name} cannot be set`;
      const answer = await this.run(client, SERVICES[1], body);
      if ('refused' in answer) return `${name}: ${sentenceOf(answer)}`;
    }
    return null;
  }
}

const URDF = armAsUrdf();
