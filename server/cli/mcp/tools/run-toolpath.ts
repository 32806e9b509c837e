/** The tool that runs a toolpath on the twin. */

import type { ArmClient } from '../../../../contract/client.ts';
import { systemClock, wait } from '../../../clock/wall-clock.ts';
import { readToolpathFile } from '../../commands/toolpath-report.ts';
import { statusOf } from '../status.ts';
import { fileOf, jsonText, type Tool, type ToolContext } from '../tool.ts';

interface Given {
  readonly file: string;
  readonly loops?: number;
  readonly limit_s?: number;
}

/** What has no motors that a person could be hurt by. */
const SIMULATED: readonly (string | null)[] = ['rapier', 'fast'];
const MOST_LOOPS = 1000;
/** Clients of agents wait for a minute at most if nobody tells them otherwise. */
const LIMIT_S = 50;
const MOST_S = 3600;
const LOOK_MS = 200;
/** States in which the arm moves or will go on. */
const MOVING: readonly string[] = ['running', 'paused', 'stopping', 'backdriving'];

/** Why the arm may not be moved; null if it may. */
async function hardwareProblem({ driver, allowHardware }: ToolContext): Promise<string | null> {
  const behind = await driver();
  if (allowHardware || SIMULATED.includes(behind)) return null;
  const what = behind === null ? 'an arm that does not say that it is simulated' : `“${behind}”`;
  return (
    `Behind this API is ${what}: a motion could hurt somebody. ` +
    'A person who stands by the arm can start armtwin mcp with --allow-hardware.'
  );
}

/** Pauses the arm and aborts what it does, so that the next call finds it ready, unless it has ended. */
async function stop(arm: ArmClient): Promise<void> {
  const stateOf = async () => (await arm.getSnapshot()).snapshot.control.state;
  await arm.pause();
  let state = await stateOf();
  while (state === 'running' || state === 'stopping') {
    await wait(systemClock, LOOK_MS);
    state = await stateOf();
  }
  if (state === 'paused') await arm.cancel();
}

export const runToolpath: Tool<Given> = {
  name: 'run_toolpath',
  title: 'Run a toolpath on the twin',
  description:
    'Takes the lock, loads a toolpath file, moves to its home, runs it and waits for the end; gives the lock back. ' +
    'Says the state in the end; explain_stop says more where that is an error. Real arms are refused unless a person has allowed them.',
  inputSchema: {
    type: 'object',
    properties: {
      file: fileOf('a toolpath file'),
      loops: { type: 'integer', minimum: 1, maximum: MOST_LOOPS, description: 'Default: 1' },
      limit_s: {
        type: 'number',
        exclusiveMinimum: 0,
        maximum: MOST_S,
        description: `How long to wait (s); then the run is stopped. Default: ${LIMIT_S}`,
      },
    },
    required: ['file'],
    additionalProperties: false,
  },
  readOnly: false,
  async call({ file, loops = 1, limit_s = LIMIT_S }, context) {
    const refused = await hardwareProblem(context);
    if (refused !== null) return { text: refused, isError: true };
    const read = readToolpathFile(file);
    if (!read.ok) return { text: jsonText(read.error), isError: true };
    const arm = await context.arm();
    const lock = await arm.keepLock();
    try {
      const { toolpath } = read.value;
      await arm.useUnsavedToolpath({ name: file, toolpath });
      const end_ms = systemClock.now_ms() + limit_s * 1000;
      const settled = async () => {
        for (;;) {
          const { control } = (await arm.getSnapshot()).snapshot;
          if (!MOVING.includes(control.state)) return control;
          if (systemClock.now_ms() > end_ms) return null;
          await wait(systemClock, LOOK_MS);
        }
      };
      for (const step of [() => arm.home({}), () => arm.run({ mode: 'automatic', loop: loops })]) {
        await step();
        const control = await settled();
        if (control === null) {
          const activity = (await statusOf(arm))?.activity;
          await stop(arm);
          const text = `Not done within ${limit_s} s; the run is stopped. It was here:`;
          return { text: `${text} ${jsonText(activity ?? null)}`, isError: true };
        }
        if (control.state !== 'ready') return { text: jsonText({ control }), isError: true };
      }
      const { control } = (await arm.getSnapshot()).snapshot;
      return { text: jsonText({ control }), isError: false };
    } finally {
      await lock.release();
    }
  },
};
