/** A receiver of webhooks in TypeScript, shown in docs/receivers.md. */
import { createServer, type Server } from 'node:http';
import { connect } from '../../contract/client.ts';
import type { RunEvent } from '../../contract/webhook-receiver.ts';
import { RunEventInbox, verifyWebhook, WebhookRejected } from '../../contract/webhook-receiver.ts';

interface Twin {
  readonly url: string;
  readonly token: string;
}

/** Calls `onEvent` once for each event of a run, also for those whose delivery was lost. */
export async function receiveWebhooks(
  { url, token }: Twin,
  onEvent: (event: RunEvent) => void,
): Promise<Server> {
  const arm = connect({ baseUrl: url, token });
  const { secret } = (await arm.getSecret()).signing;
  const inbox = new RunEventInbox();
  const fetchEvents = (run_id: string, after: number) =>
    arm.listRunEvents({ run_id: Number(run_id) }, { after });

  async function receive(headers: Record<string, string>, body: string): Promise<number> {
    try {
      const now_ms = Date.now();
      const { event } = await verifyWebhook({ headers, body }, { secrets: [secret], now_ms });
      const { state, missing } = inbox.take(event);
      if (state === 'double') return 204;
      const { run_id } = event.body;
      const due = [event];
      try {
        // What is missing happened before this event.
        if (missing.length > 0) due.unshift(...(await inbox.reconcile(run_id, fetchEvents)));
        for (; due[0]; due.shift()) onEvent(due[0]);
      } catch (error) {
        // The message comes again after the answer 503.
        for (const one of due) inbox.giveBack(one);
        throw error;
      }
      return 204;
    } catch (error) {
      return error instanceof WebhookRejected ? 400 : 503;
    }
  }

  return createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const headers = request.headers as Record<string, string>;
    response.writeHead(await receive(headers, Buffer.concat(parts).toString())).end();
  });
}
