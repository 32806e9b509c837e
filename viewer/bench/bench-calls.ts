/**
 * The Bench page's calls of /sim/v1: what was refused becomes the page's notice, and what a reply
 * tells of the clock goes into the store at once.
 */
import type { ArmClient } from '../../contract/client.ts';
import type { SimClock } from '../../contract/types.ts';
import type { ArmCalls } from '../link/arm-calls.ts';
import type { ArmStore, SimView } from '../link/arm-store.ts';
import { noticeOf } from '../link/commands.ts';

export interface BenchCalls {
  /** Does something to the twin; null, with a notice, where it was refused. */
  act<Reply>(
    call: (client: ArmClient) => Promise<Reply>,
  ): Promise<{ readonly reply: Reply } | null>;
  /** Reads without a word when it fails: the next reading may do better. */
  read<Reply>(call: (client: ArmClient) => Promise<Reply>): Promise<Reply | null>;
  /** Puts what is now known of the twin into the store. */
  learn(news: Partial<SimView>): void;
  setClock(clock: SimClock): void;
  /** Tells the user in a sentence what cannot be done. */
  refuse(sentence: string): void;
}

/** Calls over the signed-in client. */
export function createBenchCalls(store: ArmStore, calls: ArmCalls): BenchCalls {
  function learn(news: Partial<SimView>): void {
    const { sim } = store.view();
    if (sim) store.set({ sim: { ...sim, ...news } });
  }
  return {
    learn,
    setClock: (clock) => learn({ clock }),
    refuse: (text) => store.set({ notice: { text, code: '' } }),
    async act(call) {
      const outcome = await calls.call(call);
      if (!outcome.ok) {
        store.set({ notice: noticeOf(outcome.error) });
        return null;
      }
      if (store.view().notice) store.set({ notice: null });
      return { reply: outcome.value };
    },
    async read(call) {
      const outcome = await calls.call(call);
      return outcome.ok ? outcome.value : null;
    },
  };
}
