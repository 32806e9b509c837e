/**
 * Each limit of limits.ts at N + 1 in parallel, by the least privileged caller, with an innocent
 * bystander. LIMITS_JSON names a file for the figures of docs/evidence/limits.md.
 */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { limits } from '../../../contract/limits.ts';
import { type ApiFixture, startApiFixture } from './api-fixture.cases.ts';
import { LIMIT_CHECKS } from './limit-checks.cases.ts';
import type { Outcome } from './limit-context.cases.ts';
import { LimitContext } from './limit-scenarios.cases.ts';

let fixture: ApiFixture;
let context: LimitContext;
/** A row of the file that LIMITS_JSON names. */
interface Row extends Partial<Outcome> {
  readonly name: string;
  readonly most: number;
  readonly by?: string;
  readonly instead?: string;
}

const rows: Row[] = [];

beforeAll(async () => {
  fixture = await startApiFixture({ clock: 1, webhooks: 'off' });
  context = new LimitContext(fixture);
}, 120_000);
afterAll(async () => {
  context.close();
  await fixture.close();
  const path = process.env['LIMITS_JSON'];
  if (path === undefined) return;
  const before = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Row[]) : [];
  const all = new Map([...before, ...rows].map((row) => [row.name, row]));
  const ordered = Object.keys(LIMIT_CHECKS).flatMap((name) => all.get(name) ?? []);
  writeFileSync(path, `${JSON.stringify(ordered, null, 2)}\n`);
});

/** Passwords of 1,000 users take minutes on a busy machine. */
const LIMIT_MS = 1_800_000;

describe('the limit', () => {
  for (const [name, row] of Object.entries(LIMIT_CHECKS)) {
    const most = limits[name as keyof typeof limits];
    if ('instead' in row) {
      it(`${name} is checked elsewhere, or is none of callers: ${row.instead}`, () => {
        const path = /\S+\.ts$/.exec(row.instead)?.[0];
        if (path !== undefined) expect(existsSync(path), path).toBe(true);
        rows.push({ name, most, instead: row.instead });
      });
    } else {
      it(
        `${name} holds at N + 1 in parallel`,
        async () => {
          const outcome: Outcome = await context.beside(row.check);
          rows.push({ name, most, by: row.by, ...outcome });
          expect(outcome.failed).toBe(0);
        },
        LIMIT_MS,
      );
    }
  }
});
