/**
 * Saved and unsaved toolpaths (spec §4.2, §4.3). Whatever takes a toolpath refuses faults of its
 * form and meaning with a list of places; faults of its motion live in the trajectory (D16).
 */
import { limits } from '../../../contract/limits.ts';
import type { Problem } from '../../../contract/result.ts';
import type { Dialect } from '../../../contract/routes.ts';
import type { MigrateToolpathBody, Toolpath } from '../../../contract/types.ts';
import { validate } from '../../../contract/validator.ts';
import { checkToolpath } from '../../../physics/toolpath/check.ts';
import { hashToolpath } from '../../../physics/toolpath/hash.ts';
import { migrateToolpath, placeBefore } from '../../../physics/toolpath/migrate.ts';
import { type Refusal, refuse, refuseMore } from '../../robot/refusal.ts';
import { type Answer, answer, EMPTY, type Handlers, type SessionCall } from '../handler.ts';
import type { Rooms } from '../rooms.ts';

/** Name of a toolpath that is used without one, as the arm shows it. */
const UNNAMED = 'Uploaded';

function invalid(problems: readonly Problem[]): Refusal {
  const placed = problems.map(({ path, problem }) => ({ path: `/toolpath${path}`, problem }));
  return refuse('invalid_arguments', placed);
}

function faults(toolpath: Toolpath): Refusal | null {
  const problems = checkToolpath(toolpath);
  return problems.length === 0 ? null : invalid(problems);
}

/** Brings a toolpath to the latest format; what it is then must be a toolpath, faultless (D16). */
function migrated(old: MigrateToolpathBody['toolpath'], dialect: Dialect): Answer {
  const migration = migrateToolpath(old);
  if (!migration.ok) return invalid(migration.error);
  const { toolpath, breaking_changes } = migration.value;
  const shape = validate('Toolpath', toolpath, { dialect });
  const problems = shape.ok ? checkToolpath(shape.value.value) : shape.error;
  if (problems.length > 0 || !shape.ok) {
    const isNew = toolpath === old;
    return invalid(
      problems.map(({ path, problem }) => {
        return { path: isNew ? path : placeBefore(old, path), problem };
      }),
    );
  }
  const { value } = shape.value;
  return answer({ toolpath: { hash: hashToolpath(value), toolpath: value }, breaking_changes });
}

/** Builds, then loads: the motion is ready to run when the reply is sent. */
async function use(
  selection: { readonly name: string; readonly toolpath: Toolpath },
  { caller, deadline }: Pick<SessionCall, 'caller' | 'deadline'>,
  { loop, planner }: Rooms,
): Promise<Answer> {
  const { name, toolpath } = selection;
  const built = await planner.program(toolpath);
  if (deadline.passed) return refuse('timed_out');
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

  async createToolpath({ caller, body }, { library, hub }) {
    const refusal = faults(body.toolpath);
    if (refusal) return refusal;
    if (library.list(caller.user_id).length >= limits.toolpaths_per_user) {
      return refuseMore('toolpaths of yours', limits.toolpaths_per_user);
    }
    const toolpath = await library.create(caller.user_id, body.name, body.toolpath);
    const audience = { kind: 'user', user_id: caller.user_id } as const;
    hub.tell({ type: 'toolpath_created', toolpath }, audience);
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

  async updateToolpath({ caller, parameters, body }, { library, hub }) {
    const refusal = faults(body.toolpath);
    if (refusal) return refusal;
    const id = parameters['toolpath_id']!;
    const toolpath = await library.update(id, body.name, body.toolpath);
    if (!toolpath) return refuse('not_found', `You have no toolpath ${id}`);
    const audience = { kind: 'user', user_id: caller.user_id } as const;
    hub.tell({ type: 'toolpath_updated', toolpath }, audience);
    return answer({ status: 'toolpath updated', toolpath });
  },

  async deleteToolpath({ caller, parameters }, { library, hub }) {
    const id = parameters['toolpath_id']!;
    const toolpath = library.find(caller.user_id, id)!;
    await library.remove(id);
    const audience = { kind: 'user', user_id: caller.user_id } as const;
    hub.tell({ type: 'toolpath_deleted', toolpath }, audience);
    return answer({ status: 'toolpath deleted', toolpath });
  },

  async useToolpath(call, rooms) {
    const id = call.parameters['toolpath_id']!;
    const { name } = rooms.library.find(call.caller.user_id, id)!;
    return use({ name, toolpath: await rooms.library.open(id) }, call, rooms);
  },

  useUnsavedToolpath(call, rooms) {
    const { name = UNNAMED, toolpath } = call.body;
    const refusal = faults(toolpath);
    if (refusal) return refusal;
    return use({ name, toolpath }, call, rooms);
  },

  async calcToolpath({ body }, { planner }) {
    const refusal = faults(body.toolpath);
    if (refusal) return refusal;
    const { json } = await planner.build(body.toolpath);
    const hashed = JSON.stringify({ hash: hashToolpath(body.toolpath) });
    return { ...EMPTY, text: ['{"toolpath":', hashed, ',"trajectory":', json, '}'] };
  },

  migrateToolpath: ({ body, dialect }) => migrated(body.toolpath, dialect),

  shareToolpath({ caller, body }, { people, hub }) {
    const refusal = faults(body.toolpath);
    if (refusal) return refusal;
    if (body.user_id === caller.user_id) {
      const problem = 'is you; choose another user to share with';
      return refuse('invalid_arguments', [{ path: '/user_id', problem }]);
    }
    if (!people.find(body.user_id)) return refuse('not_found', `There is no user ${body.user_id}`);
    const hash = hashToolpath(body.toolpath);
    const toolpath = { id: -1 as const, name: body.name, hash, sharer: caller.user_id };
    hub.tell({ type: 'toolpath_shared', toolpath }, { kind: 'user', user_id: body.user_id });
    return answer({ status: 'toolpath shared', toolpath });
  },
};
