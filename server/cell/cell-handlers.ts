/** The handlers of the cell in the simulation control API. The physics is in physics/cell. */

import type { ArmWorld } from '../../bridge/arm-world.ts';
import { type Refusal, refuse, refuseAt } from '../../contract/refusal.ts';
import type {
  Cell,
  CellReply,
  MoveObjectBody,
  ObjectUntilBody,
} from '../../contract/types.generated.ts';
import { BODY_STATUS } from '../../physics/cell/body-states.ts';
import type { CellPlant } from '../../physics/cell/cell-plant.ts';
import { cellState, objectState } from '../../physics/cell/cell-state.ts';
import { checkCell } from '../../physics/cell/check-cell.ts';
import { faultTexts } from '../../physics/cell/fault-texts.ts';
import { moveProblems } from '../../physics/cell/move-problems.ts';
import { nestFrame } from '../../physics/cell/nests.ts';
import { unknownNameText } from '../../physics/cell/object-goal.ts';
import { frameOf, SOLID_POSE } from '../../physics/cell/pose.ts';
import type { Clock } from '../clock/clock.ts';
import { clockOf } from '../clock/clock-reply.ts';
import { tickOf } from '../clock/twin-time.ts';
import { isUnawaited } from '../service/http/deadline.ts';
import type { Handlers } from '../service/http/handler.ts';
import { answer, EMPTY } from '../service/http/reply.ts';
import type { Services } from '../service/http/services.ts';
import { goalRefusal, isThere } from './goal-refusal.ts';
import { haltRefusal } from './halt-refusal.ts';
import type { LoadedCheck } from './loaded-check.ts';

/** The twin that the cell is part of. */
export interface CellTwin {
  readonly parts: {
    readonly services: Pick<Services, 'loop' | 'robot' | 'time'>;
    readonly clock: Clock;
    readonly world: ArmWorld | null;
    /** What the loaded toolpath meets in the cell; null without a simulated world. */
    readonly loadedCheck: Pick<LoadedCheck, 'made'> | null;
  };
  /** The refusal of calls that need a simulated world, or null. */
  readonly worldRefusal: Refusal<'not_supported'> | null;
  /** Replaces the cell, or removes it; faults of its parts end. */
  setCell(cell: Cell | null): void;
}

/** The refusal of a cell with problems; wires of the loopback take inputs away from it. */
export function cellRefusal(
  cell: Cell | undefined,
  loopback: Readonly<Record<string, string>>,
): Refusal<'invalid_arguments'> | null {
  if (!cell) return null;
  const problems = checkCell(cell, Object.values(loopback));
  return problems.length > 0 ? refuse('invalid_arguments', [...problems]) : null;
}

function replyOf(world: ArmWorld): CellReply {
  const { cell } = world;
  return { cell: cell?.model.description ?? null, state: cell && cellState(cell) };
}

function objectReply(cell: CellPlant, i: number) {
  const object = objectState(cell, i);
  const events = cell.events.list().filter((event) => event.object === object.name);
  return { object, events, faults: faultTexts(cell, i) };
}

/** The place of a request as the frame of the bottom face, or a refusal. */
function frameOfPlace(
  cell: CellPlant,
  i: number,
  body: MoveObjectBody,
): Float64Array | Refusal<'invalid_arguments'> {
  const { nest: name, position, orientation } = body;
  if (name === undefined) {
    return position ? frameOf(position, orientation) : refuseAt('', 'needs a nest or a position');
  }
  if (position || orientation) return refuseAt('/nest', 'excludes position and orientation');
  const nest = cell.model.nests.find((one) => one.name === name);
  if (!nest) return refuseAt('/nest', `there is no nest “${name}”`);
  if (nest.owner === i) return refuseAt('/nest', 'is on the object itself');
  const frame = new Float64Array(SOLID_POSE);
  nestFrame(nest, cell.model.bodies, cell.states.poses, frame);
  return frame;
}

/** Finds a cell and one of its parts by name, or refuses. */
function find(
  world: ArmWorld,
  kind: 'object' | 'control',
  name: string,
): { readonly cell: CellPlant; readonly i: number } | Refusal<'not_found'> {
  const { cell } = world;
  if (!cell) return refuse('not_found', 'There is no cell; PUT /sim/v1/cell makes one');
  const list = kind === 'object' ? cell.model.bodies : cell.model.controls;
  const i = list.findIndex((one) => one.name === name);
  return i < 0 ? refuse('not_found', unknownNameText(kind, name, list)) : { cell, i };
}

/**
 * Returns whether a wait for an object is over: it is where the request wants it, or can never be.
 * Another client may replace the cell meanwhile, so the names count and not their numbers.
 */
function goalWatch(world: ArmWorld, wanted: ObjectUntilBody): () => boolean {
  let cell: CellPlant | null = null;
  let i = -1;
  return () => {
    if (world.cell !== cell || cell === null) {
      cell = world.cell;
      const found = find(world, 'object', wanted.object);
      i = 'refused' in found || goalRefusal(found.cell, wanted) ? -1 : found.i;
    }
    return cell === null || i < 0 || isThere(cell, i, wanted);
  };
}

function objectHandlers({ parts }: CellTwin, world: ArmWorld): Handlers {
  const { loop } = parts.services;
  return {
    getCellObject({ names }) {
      const found = find(world, 'object', names['object_name']!);
      return 'refused' in found ? found : answer(objectReply(found.cell, found.i));
    },
    moveCellObject({ names, body }) {
      const found = find(world, 'object', names['object_name']!);
      if ('refused' in found) return found;
      if (found.cell.states.status[found.i] === BODY_STATUS.missing) {
        const problem = 'is missing by an injected fault; clear the fault first';
        return refuseAt('', problem);
      }
      const frame = frameOfPlace(found.cell, found.i, body);
      if ('refused' in frame) return frame;
      const path = body.nest === undefined ? '/position' : '/nest';
      const problems = moveProblems(found.cell, found.i, frame);
      if (problems.length > 0) {
        return refuse(
          'invalid_arguments',
          problems.map((problem) => ({ path, problem })),
        );
      }
      loop.applyWorldAction({ kind: 'cell_move', object: found.i, frame: Array.from(frame) });
      return answer(objectReply(found.cell, found.i));
    },
    setCellControl({ names, body }) {
      const found = find(world, 'control', names['control_name']!);
      if ('refused' in found) return found;
      loop.applyWorldAction({ kind: 'cell_control', control: found.i, active: body.active });
      return answer(replyOf(world));
    },
    listCellEvents: () => answer({ events: world.cell?.events.list() ?? [] }),
    async runUntilObject({ body, deadline }) {
      const found = find(world, 'object', body.object);
      if ('refused' in found) return found;
      const invalid = goalRefusal(found.cell, body);
      if (invalid) return invalid;
      const isEnded = goalWatch(world, body);
      const isOver = () => isEnded() || isUnawaited(deadline);
      if (!isOver()) await parts.clock.advance(tickOf(body.limit_s), isOver);
      const refusal = haltRefusal(parts);
      if (refusal) return refusal;
      const now = find(world, 'object', body.object);
      if ('refused' in now) return now;
      const object = objectState(now.cell, now.i);
      const reached = isThere(now.cell, now.i, body);
      const late = goalRefusal(now.cell, body);
      return late ?? answer({ reached, object, clock: clockOf(parts) });
    },
  };
}

/** The handlers of the cell; all refuse without a simulated world. */
export function cellHandlers(twin: CellTwin): Handlers {
  const { worldRefusal, parts } = twin;
  const { world } = parts;
  if (!world) {
    const refused = () => worldRefusal ?? EMPTY;
    return {
      getCell: refused,
      getCellCheck: refused,
      setCell: refused,
      removeCell: refused,
      getCellObject: refused,
      moveCellObject: refused,
      setCellControl: refused,
      listCellEvents: refused,
      runUntilObject: refused,
    };
  }
  const { robot } = parts.services;
  return {
    getCell: () => answer(replyOf(world)),
    async getCellCheck() {
      return answer({ check: (await parts.loadedCheck?.made()) ?? null });
    },
    setCell({ body }) {
      const refusal = cellRefusal(body, robot.memory.io.loopback);
      if (refusal) return refusal;
      const met = world.metByArm(body);
      if (met.length > 0) return refuse('invalid_arguments', met);
      twin.setCell(body);
      return answer(replyOf(world));
    },
    removeCell() {
      twin.setCell(null);
      return EMPTY;
    },
    ...objectHandlers(twin, world),
  };
}
