/**
 * Toolpath check, rules of single actions: which waypoints they name, which fields exclude each
 * other, and where they may be placed. Rules across several actions are in routine-rules.ts,
 * home-rules.ts and restart-rules.ts. §2.2; D16, D18, D21.
 */

import { limits } from '../../contract/limits.ts';
import type { Problem } from '../../contract/problem.ts';
import type { Action, Toolpath } from '../../contract/types.generated.ts';
import { createTool, type Tool } from '../kinematics/tool.ts';
import { acos, PI } from '../math/portable.ts';
import { type ActionOf, type ActionPlace, walkActions } from './action-walk.ts';
import { createGrid, gridFault } from './grid.ts';
import { conditionProblems, outputProblems } from './io-rules.ts';

type Rule<Type extends Action['type']> = (
  action: ActionOf<Type>,
  position: ActionPlace,
) => Problem[];
type Rules = { readonly [Type in Action['type']]: Rule<Type> };

const MOTIONS_GIVE_ONE =
  'must not be given together with time: give at most one of time and max_speed';

function exclusiveTiming(action: { time?: number; max_speed?: number }, path: string): Problem[] {
  if (action.time === undefined || action.max_speed === undefined) return [];
  return [{ path: `${path}/max_speed`, problem: MOTIONS_GIVE_ONE }];
}

/** The action rules of one toolpath, which depend on its waypoints, tool and analog modes. */
class ActionRules {
  private readonly toolpath: Toolpath;
  private readonly tool: Tool;
  private readonly rules: Rules;

  constructor(toolpath: Toolpath) {
    this.toolpath = toolpath;
    this.tool = createTool(toolpath.metadata.tcp_config);
    this.rules = {
      home: (action, position) => [
        ...this.index(action.waypoint_id, `${position.path}/waypoint_id`),
        ...(position.holder === 'root' ? [] : [homeOutsideRoot(position)]),
      ],
      trajectory: (action, position) => [
        ...this.index(action.waypoint_id, `${position.path}/waypoint_id`),
        ...exclusiveTiming(action, position.path),
      ],
      'output-set': (action, position) =>
        outputProblems(action, toolpath.metadata.analog_modes, position.path),
      wait: (action, position) => conditionProblems(action.condition, `${position.path}/condition`),
      restart: (_, position) => restartProblems(position),
      grid: (action, position) => this.grid(action, position),
      'grid-waypoint': (action, position) => [
        ...(position.inGrid
          ? []
          : [{ path: position.path, problem: 'is allowed only inside a grid' }]),
        ...exclusiveTiming(action, position.path),
      ],
      if: (action, position) =>
        action.branches.flatMap((branch, i) =>
          conditionProblems(branch.condition, `${position.path}/branches/${i}/condition`),
        ),
      'call-routine': (action, position) => routineNameProblems(action, position),
    };
  }

  check<Type extends Action['type']>(action: ActionOf<Type>, position: ActionPlace): Problem[] {
    const type: Type = action.type as Type;
    return this.rules[type](action, position);
  }

  private index(id: number, path: string): Problem[] {
    const { length } = this.toolpath.waypoints;
    if (Number.isInteger(id) && id >= 0 && id < length) return [];
    const known =
      length === 0
        ? 'there are no waypoints'
        : `waypoints has 0 to ${length - 1}, by place in the list and not by label_id`;
    return [{ path, problem: `names waypoint ${id}, which does not exist: ${known}` }];
  }

  private grid(action: ActionOf<'grid'>, position: ActionPlace): Problem[] {
    const problems = sizeProblems(action, position.path);
    for (const corner of ['w0', 'wx', 'wy'] as const) {
      problems.push(...this.index(action[corner], `${position.path}/${corner}`));
    }
    return problems.length > 0 ? problems : this.edges(action, position.path);
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
      const problem = 'must differ from w0: the tool point has the same position at both';
      return [{ path: `${path}/${fault.corner}`, problem }];
    }
    const degrees = Math.round((acos(fault.cosine) * 180 * 100) / PI) / 100;
    const actual = `but their angle is ${degrees} degrees`;
    const problem = `needs edges w0-wx and w0-wy within 1 degree of perpendicular, ${actual}`;
    return [{ path, problem }];
  }
}

function homeOutsideRoot(position: ActionPlace): Problem {
  return { path: position.path, problem: 'is allowed only in the root timeline' };
}

function restartProblems(position: ActionPlace): Problem[] {
  if (position.holder === 'branch' && position.last) return [];
  return [{ path: position.path, problem: 'is allowed only at the end of an if branch' }];
}

function routineNameProblems(action: ActionOf<'call-routine'>, position: ActionPlace): Problem[] {
  const { routine, name } = action;
  if (routine === undefined || name === undefined || routine === name) return [];
  const problem = `must agree with routine, which is '${routine}'; give one of the two`;
  return [{ path: `${position.path}/name`, problem }];
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

/** The problems of all single actions, in document order. */
export function actionProblems(toolpath: Toolpath): Problem[] {
  const rules = new ActionRules(toolpath);
  const problems: Problem[] = [];
  walkActions(toolpath, (action, position) => {
    problems.push(...rules.check(action, position));
  });
  return problems;
}
