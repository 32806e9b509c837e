/**
 * The rules of single actions: which waypoints they name, what may be given together and where
 * they may stand. Rules that join several places are in routine-rules.ts and restart-rules.ts.
 * Spec §2.2; decisions D16, D18, D21.
 */
import { limits } from '../../contract/limits.ts';
import type { Problem } from '../../contract/result.ts';
import type { Action, Toolpath } from '../../contract/types.ts';
import { createTool, type Tool } from '../kinematics/tool.ts';
import { acos, PI } from '../math/portable.ts';
import { createGrid, gridFault } from './grid.ts';
import { conditionProblems, outputProblems } from './io-rules.ts';
import { type ActionOf, type Place, walkActions } from './walk.ts';

type Rule<Type extends Action['type']> = (action: ActionOf<Type>, place: Place) => Problem[];
type Rules = { readonly [Type in Action['type']]: Rule<Type> };

const MOTIONS_GIVE_ONE = 'must not stand beside time: give at most one of time and max_speed';

function oneOf(action: { time?: number; max_speed?: number }, path: string): Problem[] {
  if (action.time === undefined || action.max_speed === undefined) return [];
  return [{ path: `${path}/max_speed`, problem: MOTIONS_GIVE_ONE }];
}

/** The rules of one toolpath's actions, which need its waypoints, its tool and its modes. */
class ActionRules {
  private readonly toolpath: Toolpath;
  private readonly tool: Tool;
  private readonly rules: Rules;

  constructor(toolpath: Toolpath) {
    this.toolpath = toolpath;
    this.tool = createTool(toolpath.metadata.tcp_config);
    this.rules = {
      home: (action, place) => [
        ...this.index(action.waypoint_id, `${place.path}/waypoint_id`),
        ...(place.holder === 'root' ? [] : [misplacedHome(place)]),
      ],
      trajectory: (action, place) => [
        ...this.index(action.waypoint_id, `${place.path}/waypoint_id`),
        ...oneOf(action, place.path),
      ],
      'output-set': (action, place) =>
        outputProblems(action, toolpath.metadata.analog_modes, place.path),
      wait: (action, place) => conditionProblems(action.condition, `${place.path}/condition`),
      restart: (_, place) => restartPlace(place),
      grid: (action, place) => this.grid(action, place),
      'grid-waypoint': (action, place) => [
        ...(place.inGrid ? [] : [{ path: place.path, problem: 'may stand only inside a grid' }]),
        ...oneOf(action, place.path),
      ],
      if: (action, place) =>
        action.branches.flatMap((branch, i) =>
          conditionProblems(branch.condition, `${place.path}/branches/${i}/condition`),
        ),
      'call-routine': (action, place) => bothNames(action, place),
    };
  }

  judge<Type extends Action['type']>(action: ActionOf<Type>, place: Place): Problem[] {
    const type: Type = action.type as Type;
    return this.rules[type](action, place);
  }

  private index(id: number, path: string): Problem[] {
    const { length } = this.toolpath.waypoints;
    if (Number.isInteger(id) && id >= 0 && id < length) return [];
    const known = length === 0 ? 'there are no waypoints' : `waypoints has 0 to ${length - 1}`;
    return [{ path, problem: `names waypoint ${id}, which does not exist: ${known}` }];
  }

  private grid(action: ActionOf<'grid'>, place: Place): Problem[] {
    const problems = sizeProblems(action, place.path);
    for (const corner of ['w0', 'wx', 'wy'] as const) {
      problems.push(...this.index(action[corner], `${place.path}/${corner}`));
    }
    return problems.length > 0 ? problems : this.edges(action, place.path);
  }

  private edges(action: ActionOf<'grid'>, path: string): Problem[] {
    const corner = (id: number) => this.toolpath.waypoints[id]!.joints;
    const fault = gridFault(
      createGrid({
        w0: corner(action.w0),
        wx: corner(action.wx),
        wy: corner(action.wy),
        cols: action.cols,
        rows: action.rows,
        tool: this.tool,
      }),
    );
    if (!fault) return [];
    if (fault.kind === 'no_edge') {
      const problem = 'must lie apart from w0: the tool point is at the same place at both';
      return [{ path: `${path}/${fault.corner}`, problem }];
    }
    const degrees = Math.round((acos(fault.cosine) * 180 * 100) / PI) / 100;
    const met = `but they meet at ${degrees} degrees`;
    const problem = `needs perpendicular edges w0-wx and w0-wy, ${met}`;
    return [{ path, problem }];
  }
}

function misplacedHome(place: Place): Problem {
  return { path: place.path, problem: 'may stand only in the root timeline' };
}

function restartPlace(place: Place): Problem[] {
  if (place.holder === 'branch' && place.last) return [];
  return [{ path: place.path, problem: 'may stand only at the end of an if branch' }];
}

function bothNames(action: ActionOf<'call-routine'>, place: Place): Problem[] {
  const { routine, name } = action;
  if (routine === undefined || name === undefined || routine === name) return [];
  const problem = `must agree with routine, which is '${routine}'; give one of the two`;
  return [{ path: `${place.path}/name`, problem }];
}

function sizeProblems(action: ActionOf<'grid'>, path: string): Problem[] {
  const problems: Problem[] = [];
  for (const side of ['cols', 'rows'] as const) {
    if (Number.isInteger(action[side]) && action[side] >= 1) continue;
    problems.push({ path: `${path}/${side}`, problem: 'must be a whole number of at least 1' });
  }
  const cells = action.cols * action.rows;
  if (problems.length === 0 && cells > limits.grid_cells) {
    const problem = `must have at most ${limits.grid_cells} cells, but cols times rows is ${cells}`;
    problems.push({ path, problem });
  }
  return problems;
}

/** The problems of all single actions, in writing order. */
export function actionProblems(toolpath: Toolpath): Problem[] {
  const rules = new ActionRules(toolpath);
  const problems: Problem[] = [];
  walkActions(toolpath, (action, place) => {
    problems.push(...rules.judge(action, place));
  });
  return problems;
}
