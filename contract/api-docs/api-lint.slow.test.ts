/** The OpenAPI document passes the redocly linter without errors or warnings. */

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { openApiDocument } from './openapi.ts';

const LINTER = resolve('node_modules/@redocly/cli/bin/cli.js');

/**
 * The recommended rules without false positives: a stream returns only 101; versions and name have
 * no 4xx; the server is localhost; the linter closes the parts of `if`, which a schema leaves open.
 */
const CONFIG = `extends: [recommended]
rules:
  no-server-example.com: off
  operation-2xx-response: off
  operation-4xx-response: off
  no-invalid-schema-examples: { severity: error, allowAdditionalProperties: true }
  no-invalid-media-type-examples: { severity: error, allowAdditionalProperties: true }
`;

it('passes every rule of the linter', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'armtwin-lint-'));
  const path = join(folder, 'openapi.json');
  const config = join(folder, 'redocly.yaml');
  const baseUrl = 'http://127.0.0.1:8080';
  writeFileSync(path, JSON.stringify(openApiDocument({ version: '0.1.0', baseUrl })));
  writeFileSync(config, CONFIG);
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const args = [LINTER, 'lint', path, '--config', config, '--format', 'json'];
  const said = await new Promise<string>((done) => {
    execFile(process.execPath, args, { env }, (_error, out) => done(out));
  });
  rmSync(folder, { recursive: true });
  const { problems } = JSON.parse(said.slice(said.indexOf('{'))) as {
    problems: { ruleId: string; message: string }[];
  };
  expect([...new Set(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`))]).toEqual([]);
});
