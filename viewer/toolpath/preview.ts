/**
 * Looks at a toolpath before anybody runs it: every fault and warning of the build with its place,
 * and one way through it at a time on a time axis. Conditions of inputs are not known here, so the
 * viewer chooses which branch a way takes; waits for inputs last no time, as in the duration that
 * the API states (decision D22). Pure: runs in the worker of the page and in tests alike.
 */
import type { MotionError } from '../../contract/motion-errors.ts';
import { failure, type Result, success } from '../../contract/result.ts';
import type { Toolpath } from '../../contract/types.ts';
import { type Survey, surveyToolpath } from '../../physics/toolpath/build.ts';
import type { Fault } from '../../physics/toolpath/fault.ts';
import { choicesThrough, type Parents, parentsOf, trials } from './branches.ts';
import { tipOf, trackOf } from './track.ts';
import {
  type Choices,
  createStretchMoment,
  type Finding,
  type Stretch,
  sampleStretch,
  type Way,
} from './way.ts';
import { walkWay } from './way-walk.ts';

/** Why nothing can be shown of a toolpath: it is too much work, or endless. */
export interface PreviewFailure {
  readonly code: MotionError;
  readonly at: string;
  readonly message: string;
}

export interface Preview {
  readonly findings: readonly Finding[];
  /** The way that takes the branches chosen; as many as wanted. */
  way(choices: Choices): Way;
}

const moment = createStretchMoment();

class Previewer implements Preview {
  readonly findings: readonly Finding[];
  private readonly survey: Survey;
  private readonly parents: Parents;

  constructor(survey: Survey) {
    this.survey = survey;
    this.parents = parentsOf(survey.layout);
    const warnings = survey.graph.warnings.map((one) => this.place(one, 'warning'));
    this.findings = [...this.distinct().map((one) => this.place(one, 'error')), ...warnings];
  }

  way(choices: Choices): Way {
    const walk = walkWay(this.survey, this.parents, choices);
    return { choices, ...walk, track: trackOf(walk.stretches, this.tool()) };
  }

  private tool() {
    return this.survey.planner.surroundings.tool;
  }

  /** Faults once each, though graph and listing may both have found them. */
  private distinct(): Fault[] {
    const known = new Map(
      this.survey.faults.map((fault) => [`${fault.path} ${fault.code}`, fault]),
    );
    return [...known.values()];
  }

  /** A fault with the way that leads to it and its place there. */
  private place({ code, message, path: at }: Fault, kind: Finding['kind']): Finding {
    const said = { kind, code, message, at };
    const found = this.passage(at, (stretch) => kind === 'warning' || fitsFault(stretch, code));
    if (!found) {
      const choices = choicesThrough(this.survey.layout, at);
      const { home } = this.survey.layout;
      const tip_m = choices && tipOf(home.joints, this.tool());
      return { ...said, choices: choices ?? {}, tip_m };
    }
    const { stretch, choices } = found;
    sampleStretch(stretch, stretch.problem?.from_s ?? stretch.duration_s / 2, moment);
    return { ...said, choices, tip_m: tipOf(moment.joints, this.tool()) };
  }

  /** The first stretch of an action that fits, over the ways that may lead to it. */
  private passage(
    at: string,
    fits: (stretch: Stretch) => boolean,
  ): { stretch: Stretch; choices: Choices } | null {
    for (const choices of trials(this.survey.layout, at)) {
      const { stretches } = walkWay(this.survey, this.parents, choices);
      const stretch = stretches.find((one) => one.at === at && fits(one));
      if (stretch) return { stretch, choices };
    }
    return null;
  }
}

function fitsFault(stretch: Stretch, code: MotionError): boolean {
  return stretch.problem?.code === code;
}

/** Builds a toolpath that has passed shape check and toolpath check, for looking at. */
export function previewToolpath(toolpath: Toolpath): Result<Preview, PreviewFailure> {
  const survey = surveyToolpath(toolpath, { program: true, trajectory: false });
  if (survey.ok) return success(new Previewer(survey.value));
  const { why, code } = survey.error;
  return failure({ code, at: why.path, message: `It ${why.message}.` });
}
