/**
 * `npm run demo workflow`: runs the example assay in its cell, in a twin on the max clock, with a
 * webhook receiver that verifies every signature and prints each body.
 */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { connect } from '../contract/client.ts';
import type { Cell } from '../contract/types.generated.ts';
import { createTwin } from '../server/index.ts';

const ASSAY = new URL('../fixtures/workflows/assay.json', import.meta.url);
const CELL = new URL('../fixtures/cells/assay-workflow.json', import.meta.url);
const ADDRESS = 'http://127.0.0.1:9000/hooks';

let secret = '';
let count = 0;
let ended: () => void = () => {};
const end = new Promise<void>((resolve) => {
  ended = resolve;
});

const receiver = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const text = Buffer.concat(chunks).toString('utf8');
    const headers = request.headers as Record<string, string>;
    new Webhook(secret).verify(text, headers);
    response.writeHead(204).end();
    count += 1;
    process.stdout.write(`${headers['x-hook-type']} ${text}\n`);
    const { state } = JSON.parse(text) as { readonly state?: string };
    if (state === 'stopped') ended();
  });
});

await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
const { port } = receiver.address() as AddressInfo;
const cell = JSON.parse(await readFile(CELL, 'utf8')) as Cell;
const twin = await createTwin({ clock: 'max', driver: 'fast', cell });
const arm = connect({ baseUrl: twin.url, token: twin.token });
({ secret } = (await arm.getSecret()).signing);
const text = (await readFile(ASSAY, 'utf8')).replaceAll(ADDRESS, `http://127.0.0.1:${port}/hooks`);
const { workflow } = await arm.createWorkflow(JSON.parse(text) as Record<string, unknown>);
const { run } = await arm.startRun({ workflow_id: workflow.id }, {});
await end;
const { run: shown } = await arm.getRun({ run_id: run.id });
process.stdout.write(`${count} deliveries with valid signatures; run ${shown.message}\n`);
await twin.close();
receiver.closeAllConnections();
receiver.close();
