/** Every motion error code that a reply can carry, over HTTP (§2.4). */

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ArmClient, connect } from '../../../contract/client.ts';
import type { CalcToolpathReply } from '../../../contract/types.generated.ts';
import {
  IMPOSSIBLE,
  PRODUCED,
  type Probe,
  WARNINGS,
} from '../../../physics/toolpath/motion-codes.cases.ts';
import { createTwin, type Twin } from '../../index.ts';

let twin: Twin;
let client: ArmClient;
beforeAll(async () => {
  twin = await createTwin();
  client = connect({ baseUrl: twin.url, token: twin.token });
});
afterAll(() => twin.close());

type Found = readonly (string | undefined)[];

/** Codes of setpoint errors, and the code in brackets at the end of the message. */
function codesOf({ trajectory }: CalcToolpathReply): Found {
  const items = trajectory.timeline ?? [];
  const points = items.flatMap((item) => (item.type === 'segment' ? item.setpoints : []));
  return [...points.map(({ error }) => error), /\((\w+)\)\.?$/.exec(trajectory.error ?? '')?.[1]];
}

async function ask(probe: Probe): Promise<Found> {
  if (probe.call === 'calcToolpath') {
    return codesOf(await client.calcToolpath({ toolpath: probe.body }));
  }
  if (probe.call === 'nudge') {
    const { nudge } = await client.nudge(probe.body);
    return [nudge.result === 'error' ? nudge.error : undefined];
  }
  const { ik } = await client.inverseKinematics(probe.body);
  return [ik.result === 'error' ? ik.error : undefined];
}

const carried = Object.entries(PRODUCED).filter(([code]) => !WARNINGS.some((it) => it === code));

it('docs/not-simulated.md names the codes that no reply carries, and no other', () => {
  const page = readFileSync('docs/not-simulated.md', 'utf8');
  const section = page.split('### Motion error codes that do not occur')[1]?.split('## ')[0] ?? '';
  const cells = [...section.matchAll(/^\| (`.*?) \|/gm)].map(([, cell = '']) => cell);
  const named = cells.flatMap((cell) =>
    [...cell.matchAll(/`(\w+)`/g)].map(([, code = '']) => code),
  );
  expect(named.sort()).toEqual([...WARNINGS, ...Object.keys(IMPOSSIBLE)].sort());
});

it.each(carried)('%s', async (code, probe) => {
  expect(await ask(probe)).toContain(code);
});
