/** What two plants made of the same run: where they differ, and what each of them says. */
import type { CellObjectState } from '../../../contract/types.generated.ts';
import type { SimulatedDriver } from '../config.ts';
import { placeText, seconds, timeText, touchText } from './happening-text.ts';
import type { RehearsedContact, RehearsedEvent, RehearsedRun } from './rehearsed-run.ts';
import { SLIDES } from './run-problems.ts';

/** What one plant says. */
interface Said {
  /** When (s of the run), and in which step; null where it says that nothing happened. */
  readonly at_s: number | null;
  readonly step: string | null;
  readonly text: string;
}

/** What the plants did otherwise with one object, in one contact, or with the whole run. */
export interface PlantDifference {
  /** Number of the variation; null: the run as described. */
  readonly variation: number | null;
  /** The object, or both parts of a contact; null: the run. */
  readonly object: string | null;
  readonly plants: Readonly<Record<SimulatedDriver, Said>>;
}

export type PlantRuns = Readonly<Record<SimulatedDriver, RehearsedRun>>;
type Difference = Omit<PlantDifference, 'variation'>;

/** Resting places of one object that are nearer are the same: most drops end so near (docs/plants.md). */
const REST_M = 0.005;
/** Runs whose lengths differ less are equally long: parts on belts arrive up to 20 ms apart. */
const DURATION_S = 0.1;
/** Peak forces that differ less are the same: on impact the plants differ by some N and some percent. */
const FORCE_N = 5;
const FORCE_SHARE = 0.2;

/** What an object goes through; where it comes to rest is compared at the end. */
const STORY: readonly RehearsedEvent['kind'][] = [
  ...(['grasped', 'missed', 'released', 'dropped', 'slipped', 'slid'] as const),
  ...(['carried', 'fell_off', 'tipped', 'jammed', 'passed'] as const),
];

/** The story of an object; a slide that sticks and goes on is one event. */
function storyOf({ events }: RehearsedRun, object: string | null): RehearsedEvent[] {
  const own = events.filter((event) => event.object === object && STORY.includes(event.kind));
  return own.filter(({ kind }, i) => !SLIDES.includes(kind) || own[i - 1]?.kind !== kind);
}

// Not its place: jaws push an object while they close, and where it counts as moving depends on the plant.
const chapterOf = ({ kind, by }: RehearsedEvent) => `${kind} ${by}`;

const saidOf = ({ at_s, step, text }: RehearsedEvent): Said => ({ at_s, step, text });

function distanceOf(a: CellObjectState, b: CellObjectState): number {
  const [p, q] = [a.position, b.position];
  return Math.hypot(p.x - q.x, p.y - q.y, p.z - q.z);
}

/** One that the arm presses counts as moving on `rapier`, and has no place then. */
function isSameEnd(a: CellObjectState, b: CellObjectState): boolean {
  if (a.held_by !== b.held_by || distanceOf(a, b) > REST_M) return false;
  const isPressed = [a, b].some(({ status }) => status === 'moving');
  return isPressed || (a.status === b.status && a.at === b.at);
}

function endText({ name, status, at, held_by, position }: CellObjectState): string {
  const where =
    held_by !== null ? `held by ${held_by}` : `${status}${at === null ? '' : ` at ${at}`}`;
  return `${name} is ${where} in the end, ${placeText(position)}`;
}

function bothOf(say: (run: RehearsedRun) => Said, runs: PlantRuns): Difference['plants'] {
  return { fast: say(runs.fast), rapier: say(runs.rapier) };
}

/** Where the stories of an object part, or its end differs; null where both plants agree. */
function differenceOfObject(object: string | null, runs: PlantRuns): Difference | null {
  const stories = { fast: storyOf(runs.fast, object), rapier: storyOf(runs.rapier, object) };
  const longest = Math.max(stories.fast.length, stories.rapier.length);
  const endOf = ({ objects }: RehearsedRun) => objects.find(({ name }) => name === object);
  const sayEnd = (run: RehearsedRun): Said => {
    const last = run.events.findLast((event) => event.object === object);
    const end = endOf(run);
    const text = end ? endText(end) : 'nothing happens';
    return { at_s: last?.at_s ?? null, step: last?.step ?? null, text };
  };
  for (let i = 0; i < longest; i++) {
    const [fast, rapier] = [stories.fast[i], stories.rapier[i]];
    if (fast && rapier && chapterOf(fast) === chapterOf(rapier)) continue;
    const plants = {
      fast: fast ? saidOf(fast) : sayEnd(runs.fast),
      rapier: rapier ? saidOf(rapier) : sayEnd(runs.rapier),
    };
    return { object, plants };
  }
  const [fast, rapier] = [endOf(runs.fast), endOf(runs.rapier)];
  if (!fast || !rapier) return null;
  return isSameEnd(fast, rapier) ? null : { object, plants: bothOf(sayEnd, runs) };
}

/** The strongest contact of each pair of part and obstacle. */
export function strongestContacts({ contacts }: RehearsedRun): Map<string, RehearsedContact> {
  const most = new Map<string, RehearsedContact>();
  for (const contact of contacts) {
    const pair = `${contact.body} and ${contact.obstacle}`;
    const known = most.get(pair);
    if (!known || contact.peak_force_n > known.peak_force_n) most.set(pair, contact);
  }
  return most;
}

function contactDifferences(runs: PlantRuns): Difference[] {
  const most = { fast: strongestContacts(runs.fast), rapier: strongestContacts(runs.rapier) };
  const pairs = new Set([...most.fast.keys(), ...most.rapier.keys()]);
  return [...pairs].flatMap((object) => {
    const [fast, rapier] = [most.fast.get(object), most.rapier.get(object)];
    const [a, b] = [fast?.peak_force_n ?? 0, rapier?.peak_force_n ?? 0];
    if (Math.abs(a - b) <= Math.max(FORCE_N, FORCE_SHARE * Math.max(a, b))) return [];
    const say = (contact: RehearsedContact | undefined): Said => {
      if (!contact) return { at_s: null, step: null, text: `${object} do not touch` };
      return {
        at_s: contact.at_s,
        step: contact.step,
        text: `${touchText(contact)}, at ${placeText(contact.place)}`,
      };
    };
    return [{ object, plants: { fast: say(fast), rapier: say(rapier) } }];
  });
}

/** What differs of the run as a whole, where nothing of it does that has a name. */
function differenceOfRun(runs: PlantRuns): Difference[] {
  const { fast, rapier } = runs;
  const sayProblem = ({ failed_s, problems: [first] }: RehearsedRun): Said => {
    return { at_s: failed_s, step: null, text: first ?? 'the run is as expected' };
  };
  if ((fast.failed_s === null) !== (rapier.failed_s === null)) {
    return [{ object: null, plants: bothOf(sayProblem, runs) }];
  }
  if (Math.abs(fast.duration_s - rapier.duration_s) <= DURATION_S) return [];
  const sayDuration = ({ duration_s }: RehearsedRun): Said => {
    return { at_s: duration_s, step: null, text: `the run took ${seconds(duration_s)}` };
  };
  return [{ object: null, plants: bothOf(sayDuration, runs) }];
}

/**
 * Where the plants differ in a run, by object, contact and run: the first event of an object that
 * only one of them has, else its place in the end; forces and lengths beyond their bounds.
 */
export function plantDifferences(runs: PlantRuns): Difference[] {
  const names = [null, ...runs.fast.objects.map(({ name }) => name)];
  const found = [
    ...names.flatMap((object) => differenceOfObject(object, runs) ?? []),
    ...contactDifferences(runs),
  ];
  return found.length > 0 ? found : differenceOfRun(runs);
}

/** A difference in a sentence. */
export function differenceText({ variation, object, plants }: PlantDifference): string {
  const subject = [...(variation === null ? [] : [`variation ${variation}`]), object ?? 'the run'];
  const say = (plant: SimulatedDriver) => {
    const { at_s, step, text } = plants[plant];
    return `on ${plant}, ${text}${at_s === null ? '' : ` (${timeText(at_s, step)})`}`;
  };
  return `${subject.join(', ')}: ${say('fast')}; ${say('rapier')}`;
}
