/**
 * Handlers of saved and unsaved toolpaths (§4.2, §4.3). Invalid toolpaths are refused with a list
 * of JSON pointers; motion errors are part of the trajectory (D16).
 */
import { limits } from '../../../contract/limits.ts';
import { type Refusal, refuse, refuseLimitReached } from '../../../contract/refusal.ts';
import type { Problem } from '../../../contract/result.ts';
import type { Dialect } from '../../../contract/routes.ts';
import type { MigrateToolpathBody, Toolpath } from '../../../contract/types.ts';
import { validate } from '../../../contract/validator.ts';
import { checkToolpath } from '../../../physics/toolpath/check.ts';
import { hashToolpath } from '../../../physics/toolpath/hash.ts';
import { migrateToolpath, pathBeforeMigration } from '../../../physics/toolpath/migrate.ts';
import type { CommandError } from '../../robot/commands.ts';
import type { LateError } from '../../store/database.ts';
import { type Answer, answer, EMPTY, type Handlers, type SessionCall } from '../handler.ts';
import type { Services } from '../services.ts';

/** Name of a toolpath that is loaded without one, as on the real arm. */
const UNNAMED = 'Uploaded';

function invalid(problems: readonly Problem[]): Refusal<'invalid_arguments'> {
  const pointers = problems.map(({ path, problem }) => ({ path: `/toolpath${path}`, problem }));
  return refuse('invalid_arguments', pointers);
}

function toolpathRefusal(toolpath: Toolpath): Refusal<'invalid_arguments'> | null {
  const problems = checkToolpath(toolpath);
  return problems.length === 0 ? null : invalid(problems);
}

/** Migrates a toolpath to the latest format; the result must be valid (D16). */
function migrated(
  old: MigrateToolpathBody['toolpath'],
  dialect: Dialect,
): Answer<'invalid_arguments'> {
  const migration = migrateToolpath(old);
  if (!migration.ok) return invalid(migration.error);
  const { toolpath, breaking_changes } = migration.value;
  const shape = validate('Toolpath', toolpath, { dialect });
  const problems = shape.ok ? checkToolpath(shape.value.value) : shape.error;
  if (problems.length > 0 || !shape.ok) {
    const isNew = toolpath === old;
    return invalid(
      problems.map(({ path, problem }) => {
        return { path: isNew ? path : pathBeforeMigration(old, path), problem };
      }),
    );
  }
  const { value } = shape.value;
  return answer({ toolpath: { hash: hashToolpath(value), toolpath: value }, breaking_changes });
}

/** Builds and loads a toolpath: it is ready to run when the reply is sent. */
async function buildAndLoad(
  selection: { readonly name: string; readonly toolpath: Toolpath },
  { caller, recheck }: Pick<SessionCall, 'caller' | 'recheck'>,
  { loop, planner }: Services,
): Promise<Answer<'toolpath_error' | LateError | CommandError<'load'>>> {
  const { name, toolpath } = selection;
  const built = await planner.program(toolpath);
  const late = recheck();
  if (late) return late;
  if (built.kind !== 'built') {
    const { error, path, code } = built;
    return refuse('toolpath_error', { error, path, code });
  }
  const hash = hashToolpath(toolpath);
  const loaded = { name, hash, program: built.program, metadata: toolpath.metadata };
  const refusal = loop.apply({ kind: 'load', caller, toolpath: loaded });
  const details = `Toolpath ${name} is loaded and ready to run`;
  return refusal ?? answer({ event: { details, name: 'EVENT_TOOLPATH_UPDATE' } });
}

export const toolpathHandlers: Handlers = {
  listToolpaths: ({ caller }, { library }) => answer({ toolpaths: library.list(caller.user_id) }),

  async createToolpath({ caller, body, recheck }, { library, hub }) {
    const refusal = toolpathRefusal(body.toolpath);
    if (refusal) return refusal;
    if (library.list(caller.user_id).length >= limits.toolpaths_per_user) {
      return refuseLimitReached('toolpaths of yours', limits.toolpaths_per_user);
    }
    const owner_id = caller.user_id;
    const toolpath = await library.create({ owner_id, ...body }, recheck);
    if ('refused' in toolpath) return toolpath;
    const audience = { kind: 'user', user_id: caller.user_id } as const;
    hub.publish({ type: 'toolpath_created', toolpath }, audience);
    return answer({ status: 'toolpath created', toolpath });
  },

  async getToolpath({ caller, parameters }, { library }) {
    const id = parameters['toolpath_id']!;
    const head = library.find(caller.user_id, id)!;
    return answer({ toolpath: { ...head, toolpath: await library.open(id) } });
  },

  async buildToolpath({ caller, parameters }, { library, planner }) {
    const id = parameters['toolpath_id']!;
    const head = library.find(caller.user_id, id)!;
    const toolpath = await library.open(id);
    const { json } = await planner.build(toolpath);
    const before = JSON.stringify({ ...head, toolpath }).slice(0, -1);
    return { ...EMPTY, text: ['{"toolpath":', before, ',"trajectory":', json, '}}'] };
  },

  async updateToolpath({ caller, parameters, body, recheck }, { library, hub }) {
    const refusal = toolpathRefusal(body.toolpath);
    if (refusal) return refusal;
    const id = parameters['toolpath_id']!;
    const toolpath = await library.update({ id, ...body }, recheck);
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
    const refusal = toolpathRefusal(toolpath);
    if (refusal) return refusal;
    return buildAndLoad({ name, toolpath }, call, services);
  },

  async calcToolpath({ body }, { planner }) {
    const refusal = toolpathRefusal(body.toolpath);
    if (refusal) return refusal;
    const { json } = await planner.build(body.toolpath);
    const hashed = JSON.stringify({ hash: hashToolpath(body.toolpath) });
    return { ...EMPTY, text: ['{"toolpath":', hashed, ',"trajectory":', json, '}'] };
  },

  migrateToolpath: ({ body, dialect }) => migrated(body.toolpath, dialect),

  getSharedToolpath({ caller }, { library }) {
    const toolpath = library.sharedWith(caller.user_id);
    return toolpath ? answer({ toolpath }) : refuse('not_found', 'No toolpath was shared with you');
  },

  shareToolpath({ caller, body }, { users, hub, library }) {
    const refusal = toolpathRefusal(body.toolpath);
    if (refusal) return refusal;
    if (body.user_id === caller.user_id) {
      const problem = 'is you; choose another user to share with';
      return refuse('invalid_arguments', [{ path: '/user_id', problem }]);
    }
    if (!users.find(body.user_id)) return refuse('not_found', `There is no user ${body.user_id}`);
    const hash = hashToolpath(body.toolpath);
    const toolpath = { id: -1 as const, name: body.name, hash, sharer: caller.user_id };
    library.keepShared(body.user_id, { ...toolpath, toolpath: body.toolpath });
    hub.publish({ type: 'toolpath_shared', toolpath }, { kind: 'user', user_id: body.user_id });
    return answer({ status: 'toolpath shared', toolpath });
  },
};
