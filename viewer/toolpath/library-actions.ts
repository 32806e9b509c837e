/** What is done to a toolpath of the arm in its list: rename, duplicate, share, delete and restore. */
import type { ArmClient } from '../../contract/client.ts';
import type { Toolpath, ToolpathHead, User } from '../../contract/types.generated.ts';
import type { ArmCalls } from '../link/arm-calls.ts';
import type { ArmStore } from '../link/arm-store.ts';
import { failureNotice } from '../link/failure-notice.ts';
import { baseOf } from './newer-version.ts';
import type { ToolpathStore } from './toolpath-store.ts';

/** Length of a name at most. */
export const NAME_MAX = 128;

interface LibraryActionsParts {
  readonly store: ToolpathStore;
  readonly arm: ArmStore;
  readonly calls: ArmCalls;
}

export type LibraryActions = ReturnType<typeof createLibraryActions>;

/** "Sorter copy" of "Sorter", within the length of a name. */
export function copyName(name: string): string {
  const suffix = ' copy';
  return Array.from(name)
    .slice(0, NAME_MAX - suffix.length)
    .join('')
    .concat(suffix);
}

/** The calls; a refusal becomes a notice and undefined. */
export function createLibraryActions({ store, arm, calls }: LibraryActionsParts) {
  async function run<Reply>(call: (client: ArmClient) => Promise<Reply>) {
    const outcome = await calls.call(call);
    arm.set({ notice: outcome.ok ? null : failureNotice(outcome.error) });
    return outcome.ok ? outcome.value : undefined;
  }
  const read = async (client: ArmClient, { id }: ToolpathHead): Promise<Toolpath> =>
    (await client.getToolpath({ toolpath_id: id })).toolpath.toolpath;
  const isOpen = ({ id }: ToolpathHead) => store.view().origin?.id === id;
  return {
    async rename(head: ToolpathHead, name: string): Promise<void> {
      const done = await run(async (client) =>
        client.updateToolpath(
          { toolpath_id: head.id },
          { name, toolpath: await read(client, head) },
        ),
      );
      const { origin } = store.view();
      // What is open was made from the content that the rename kept, or is older and reported so.
      const isBase = done !== undefined && origin?.base?.hash === done.toolpath.hash;
      if (done && isOpen(head)) {
        const base = isBase ? baseOf(done.toolpath) : origin?.base;
        store.set({ origin: { id: head.id, name, ...(base && { base }) } });
      }
    },
    duplicate: (head: ToolpathHead) =>
      run(async (client) => {
        const body = { name: copyName(head.name), toolpath: await read(client, head) };
        return client.createToolpath(body);
      }),
    /** Deletes it; returns its content for an undo. What is open stays open, unsaved. */
    async remove(head: ToolpathHead): Promise<Toolpath | undefined> {
      const toolpath = await run(async (client) => {
        const kept = await read(client, head);
        await client.deleteToolpath({ toolpath_id: head.id });
        return kept;
      });
      if (toolpath && isOpen(head)) store.set({ origin: { id: null, name: head.name } });
      return toolpath;
    },
    /** Saves it again; returns its new id. */
    async restore(name: string, toolpath: Toolpath): Promise<number | undefined> {
      return (await run((client) => client.createToolpath({ name, toolpath })))?.toolpath.id;
    },
    users: () => run((client) => client.listUsers()),
    async share(head: ToolpathHead, { id, email }: User): Promise<void> {
      const done = await run(async (client) => {
        const toolpath = await read(client, head);
        return client.shareToolpath({ name: head.name, user_id: id, toolpath });
      });
      const text = `“${head.name}” is shared with ${email}.`;
      if (done) arm.set({ notice: { text, code: '' } });
    },
  };
}
