/** The thread that replays kept runs beside the twin, one run a message. */

import { move, transferableSymbol, valueSymbol } from 'piscina';
import { refuse } from '../../contract/refusal.ts';
import {
  type RunReplayTask,
  type RunReplayText,
  replayRun,
} from '../service/simulation/run-replay.ts';
import { createTarget } from './replay-target.ts';

/** Replays a run on this thread. */
export async function replayHere(task: RunReplayTask): Promise<RunReplayText> {
  const { driver } = task;
  const target = createTarget(driver);
  if (!target) return refuse('not_supported', `Runs of the driver ${driver} cannot be replayed`);
  const reply = await replayRun(task, target);
  if ('refused' in reply) return reply;
  return { json: new TextEncoder().encode(JSON.stringify(reply)) };
}

/** The entry point of the thread: the text of a reply is transferred. */
export default async function replayOnThread(task: RunReplayTask): Promise<unknown> {
  const value = await replayHere(task);
  if ('refused' in value) return value;
  return move({ [transferableSymbol]: value.json.buffer, [valueSymbol]: value });
}
