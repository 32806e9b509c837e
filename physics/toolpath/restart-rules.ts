/** Toolpath check, rule of restarts: a restart only where the arm is back at home. §2.2; D22. */
import type { Problem } from '../../contract/problem.ts';
import type { Action, Timeline, Toolpath } from '../../contract/types.generated.ts';
import { type ActionOf, calledName } from './action-walk.ts';
import { type CallGraph, callersFirst } from './call-graph.ts';

/** Effect of a timeline on whether the arm may be away from home. */
interface HomeOutcome {
  /** True when the arm may end where it started. */
  readonly keeps: boolean;
  /** True when the arm may end away from home regardless of the start. */
  readonly away: boolean;
}

const STAYS: HomeOutcome = { keeps: true, away: false };

function after(outcome: HomeOutcome, away: boolean): boolean {
  return outcome.away || (outcome.keeps && away);
}

/** Traces the arm through the timelines as far as restarts need. */
class RestartSearch {
  readonly problems: Problem[] = [];
  private readonly toolpath: Toolpath;
  private readonly graph: CallGraph;
  private readonly homeJoints: string;
  private readonly outcomes = new Map<number, HomeOutcome>();
  /** For each called routine: whether the arm may enter it away from home. */
  private readonly entries = new Map<number, boolean>();

  constructor(toolpath: Toolpath, graph: CallGraph, home: number) {
    this.toolpath = toolpath;
    this.graph = graph;
    this.homeJoints = this.jointsOf(home);
  }

  run(): Problem[] {
    this.walk(this.toolpath.timeline, '/timeline', false);
    const routines = this.toolpath.routines ?? [];
    for (const number of callersFirst(this.graph, routines.length)) {
      const away = this.entries.get(number);
      if (away === undefined) continue;
      this.walk(routines[number]!.timeline, `/routines/${number}/timeline`, away);
    }
    return this.problems;
  }

  private jointsOf(waypoint: number): string {
    return String(this.toolpath.waypoints[waypoint]?.joints);
  }

  private outcome(timeline: Timeline): HomeOutcome {
    return timeline.reduce((before, action) => {
      const own = this.actionOutcome(action);
      return { keeps: before.keeps && own.keeps, away: after(own, before.away) };
    }, STAYS);
  }

  private actionOutcome(action: Action): HomeOutcome {
    switch (action.type) {
      case 'trajectory':
        if (action.pass_through) return STAYS;
        return { keeps: false, away: this.jointsOf(action.waypoint_id) !== this.homeJoints };
      case 'grid-waypoint':
        return { keeps: false, away: true };
      case 'grid':
        return this.outcome(action.timeline);
      case 'call-routine':
        return this.routineOutcome(action);
      case 'if':
        return this.ifOutcome(action);
      default:
        return STAYS;
    }
  }

  /**
   * Possibly no branch is taken; a branch that restarts has returned home before, so it adds
   * nothing.
   */
  private ifOutcome(action: ActionOf<'if'>): HomeOutcome {
    const away = action.branches.some((branch) => this.outcome(branch.timeline).away);
    return { keeps: true, away };
  }

  private routineOutcome(action: ActionOf<'call-routine'>): HomeOutcome {
    const number = this.graph.numbers.get(calledName(action));
    if (number === undefined) return STAYS;
    let outcome = this.outcomes.get(number);
    if (!outcome) {
      outcome = this.outcome(this.toolpath.routines![number]!.timeline);
      this.outcomes.set(number, outcome);
    }
    return outcome;
  }

  /** Walks a timeline entered at or away from home and records restarts on the way. */
  private walk(timeline: Timeline, path: string, enteredAway: boolean): void {
    let away = enteredAway;
    timeline.forEach((action, i) => {
      this.enter(action, `${path}/${i}`, away);
      away = after(this.actionOutcome(action), away);
    });
  }

  private enter(action: Action, path: string, away: boolean): void {
    if (action.type === 'restart' && away) {
      const problem =
        'must follow a trajectory to the home waypoint: the arm may come here from elsewhere';
      this.problems.push({ path, problem });
    }
    if (action.type === 'grid') {
      const repeated = after(this.outcome(action.timeline), away);
      const anyCell = away || (action.cols * action.rows > 1 && repeated);
      this.walk(action.timeline, `${path}/timeline`, anyCell);
    }
    if (action.type === 'if') {
      action.branches.forEach((branch, i) => {
        this.walk(branch.timeline, `${path}/branches/${i}/timeline`, away);
      });
    }
    if (action.type === 'call-routine') {
      const number = this.graph.numbers.get(calledName(action));
      if (number !== undefined)
        this.entries.set(number, away || (this.entries.get(number) ?? false));
    }
  }
}

/**
 * The problems of restarts that the arm can reach away from home. Empty with recursive routines or
 * without home, which other rules report.
 */
export function restartProblems(toolpath: Toolpath, graph: CallGraph): Problem[] {
  const home = toolpath.timeline.find((action) => action.type === 'home');
  if (!home || graph.recursive.length > 0) return [];
  return new RestartSearch(toolpath, graph, home.waypoint_id).run();
}
