/**
 * Handlers of saved and unsaved toolpaths (§4.2, §4.3). Invalid toolpaths are refused with a list
 * of JSON pointers; motion errors are part of the trajectory (D16).
 */

import { isRefusal, refuse } from '../../../../contract/refusal.ts';
import type { ToolpathHead } from '../../../../contract/types.generated.ts';
import type { ToolpathText } from '../../../documents/toolpath-text.ts';
import type { CommandError } from '../../../robot/commands.ts';
import { claimantOf } from '../../../shares/claimant.ts';
import type { LateError } from '../../../store/guard.ts';
import type { SessionCall } from '../call.ts';
import type { Handlers } from '../handler.ts';
import { type Answer, answer, answerList, EMPTY, type Reply } from '../reply.ts';
import type { Services } from '../services.ts';

/** Name of a toolpath that is loaded without one, as on the real arm. */
const UNNAMED = 'Uploaded';

/** The reply with a toolpath's head fields and its content, which is JSON text already. */
function withContent(head: object, { json }: ToolpathText): Reply {
  const before = `{"toolpath":${JSON.stringify(head).slice(0, -1)},"toolpath":`;
  return { ...EMPTY, text: [before, json, '}}'] };
}

/**
 * Builds and loads a toolpath: it is ready to run when the reply is sent. One without a valid motion
 * is refused; which toolpath is loaded then depends on the dialect (D16).
 */
async function buildAndLoad(
  selection: { readonly name: string; readonly toolpath: ToolpathText },
  { caller, recheck, dialect }: Pick<SessionCall, 'caller' | 'recheck' | 'dialect'>,
  { loop, planner, robot }: Services,
): Promise<Answer<'toolpath_error' | 'share_used_up' | LateError | CommandError<'load'>>> {
  const { name } = selection;
  const built = await planner.load({ ...selection, claimant: claimantOf(caller, robot) });
  if (isRefusal(built)) return built;
  const late = recheck();
  if (late) return late;
  if (built.kind !== 'built') {
    const { error, path, code } = built;
    // The field's arm has no toolpath then, so that no client drives the former one by mistake.
    if (dialect === 'fielded') loop.apply({ kind: 'unload', caller });
    const loaded = robot.memory.loaded?.name ?? '';
    return refuse('toolpath_error', { error, path, code, loaded });
  }
  const refusal = loop.apply({ kind: 'load', caller, toolpath: built.loaded });
  const details = `Toolpath ${name} is loaded and ready to run`;
  return refusal ?? answer({ event: { details, name: 'EVENT_TOOLPATH_UPDATE' } });
}

export const toolpathHandlers: Handlers = {
  listToolpaths: ({ caller }, { library }) => answerList('toolpaths', library.list(caller.user_id)),

  async createToolpath({ caller, body, recheck, record }, { library, hub }) {
    const { name, toolpath: document } = body;
    if ('refused' in document) return document;
    const owner_id = caller.user_id;
    const replyOf = (made: ToolpathHead) => ({ status: 'toolpath created', toolpath: made });
    const content = { owner_id, name, toolpath: document };
    const toolpath = await library.create(content, {
      guard: recheck,
      onCreated: (draft, made) => record(draft, { reply: replyOf(made) }),
    });
    if ('refused' in toolpath) return toolpath;
    const audience = { kind: 'user', user_id: caller.user_id } as const;
    hub.publish({ type: 'toolpath_created', toolpath }, audience);
    return answer(replyOf(toolpath));
  },

  async getToolpath({ caller, parameters }, { library }) {
    const id = parameters['toolpath_id']!;
    const head = library.find(caller.user_id, id)!;
    return withContent(head, await library.open(id));
  },

  async buildToolpath({ caller, parameters }, { library, planner, robot }) {
    const id = parameters['toolpath_id']!;
    const head = library.find(caller.user_id, id)!;
    const toolpath = await library.open(id);
    const built = await planner.build(toolpath, claimantOf(caller, robot));
    if (isRefusal(built)) return built;
    const { json } = built;
    const before = `{"toolpath":${JSON.stringify(head).slice(0, -1)},"toolpath":`;
    return { ...EMPTY, text: [before, toolpath.json, ',"trajectory":', json, '}}'] };
  },

  async updateToolpath({ caller, parameters, body, recheck }, { library, hub }) {
    const { name, toolpath: document } = body;
    if ('refused' in document) return document;
    const id = parameters['toolpath_id']!;
    const toolpath = await library.update({ id, name, toolpath: document }, recheck);
    if (toolpath && 'refused' in toolpath) return toolpath;
    if (!toolpath) return refuse('not_found', `You have no toolpath ${id}`);
    const audience = { kind: 'user', user_id: caller.user_id } as const;
    hub.publish({ type: 'toolpath_updated', toolpath }, audience);
    return answer({ status: 'toolpath updated', toolpath });
  },

  async deleteToolpath({ caller, parameters, recheck }, { library, hub }) {
    const id = parameters['toolpath_id']!;
    const toolpath = library.find(caller.user_id, id)!;
    const refusal = await library.remove(id, recheck);
    if (refusal) return refusal;
    const audience = { kind: 'user', user_id: caller.user_id } as const;
    hub.publish({ type: 'toolpath_deleted', toolpath }, audience);
    return answer({ status: 'toolpath deleted', toolpath });
  },

  async useToolpath(call, services) {
    const id = call.parameters['toolpath_id']!;
    const { name } = services.library.find(call.caller.user_id, id)!;
    return buildAndLoad({ name, toolpath: await services.library.open(id) }, call, services);
  },

  useUnsavedToolpath(call, services) {
    const { name = UNNAMED, toolpath } = call.body;
    if ('refused' in toolpath) return toolpath;
    return buildAndLoad({ name, toolpath }, call, services);
  },

  async calcToolpath({ caller, body }, { planner, robot }) {
    const { toolpath } = body;
    if ('refused' in toolpath) return toolpath;
    const built = await planner.build(toolpath, claimantOf(caller, robot));
    if (isRefusal(built)) return built;
    const { json } = built;
    const hashed = JSON.stringify({ hash: toolpath.hash });
    return { ...EMPTY, text: ['{"toolpath":', hashed, ',"trajectory":', json, '}'] };
  },

  migrateToolpath: ({ body }) => ('refused' in body ? body : { ...EMPTY, text: [body] }),

  getSharedToolpath({ caller }, { library }) {
    const shared = library.sharedWith(caller.user_id);
    if (!shared) return refuse('not_found', 'No toolpath was shared with you');
    return withContent(shared.head, shared.toolpath);
  },

  shareToolpath({ caller, body }, { users, hub, library }) {
    const { toolpath: document } = body;
    if ('refused' in document) return document;
    if (body.user_id === caller.user_id) {
      const problem = 'is you; choose another user to share with';
      return refuse('invalid_arguments', [{ path: '/user_id', problem }]);
    }
    if (!users.find(body.user_id)) return refuse('not_found', `There is no user ${body.user_id}`);
    const { hash } = document;
    const toolpath = { id: -1 as const, name: body.name, hash, sharer: caller.user_id };
    library.keepShared(body.user_id, { head: toolpath, toolpath: document });
    hub.publish({ type: 'toolpath_shared', toolpath }, { kind: 'user', user_id: body.user_id });
    return answer({ status: 'toolpath shared', toolpath });
  },
};
