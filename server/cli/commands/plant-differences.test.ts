/** What two plants made of a run, compared. */
import { describe, expect, it } from 'vitest';
import type { CellObjectState } from '../../../contract/types.generated.ts';
import { differenceText, plantDifferences } from './plant-differences.ts';
import type { RehearsedContact, RehearsedEvent, RehearsedRun } from './rehearsed-run.ts';

const UPRIGHT = { w: 1, x: 0, y: 0, z: 0 };

type EventLine = readonly [at_s: number, kind: RehearsedEvent['kind'], at?: string];

/** Events of the part, each in the step of its number. */
function eventsOf(lines: readonly EventLine[]): RehearsedEvent[] {
  const part = { object: 'part', by: 'gripper', position: { x: 0, y: 0, z: 0 } };
  return lines.map(([at_s, kind, at = null], i) => {
    const own = { id: i + 1, kind, at_s, at, tick: Math.round(at_s / 0.004) };
    return { ...part, orientation: UPRIGHT, ...own, step: `/timeline/${i}`, text: `part ${kind}` };
  });
}

function partAt(x: number, state: Partial<CellObjectState> = {}): CellObjectState {
  const still = { status: 'resting', at: 'table', held_by: null } as const;
  return { name: 'part', position: { x, y: 0, z: 0 }, orientation: UPRIGHT, ...still, ...state };
}

function touch(peak_force_n: number, at_s = 2): RehearsedContact {
  const what = { id: 1, link: 7, body: 'tool', obstacle: 'wall', place: { x: 0.3, y: 0, z: 0.2 } };
  const forces = { speed_m_s: 0.1, peak_force_n, residual_force_n: 0, detected: false };
  return { ...what, ...forces, at_s, ended_s: at_s + 0.1, step: '/timeline/1' };
}

function runOf(
  given: Partial<RehearsedRun> & { readonly lines?: readonly EventLine[] },
): RehearsedRun {
  const { lines = [], ...rest } = given;
  const plain = { duration_s: 5, contacts: [], objects: [partAt(0)], problems: [], failed_s: null };
  return { ...plain, events: eventsOf(lines), ...rest };
}

const compared = (fast: Parameters<typeof runOf>[0], rapier: Parameters<typeof runOf>[0]) =>
  plantDifferences({ fast: runOf(fast), rapier: runOf(rapier) });

const PLACED: readonly EventLine[] = [
  [1, 'grasped', 'A1'],
  [3, 'released', 'B1'],
  [3.1, 'settled', 'B1'],
];

describe('two plants', () => {
  it('agree where objects go through the same and end within 5 mm', () => {
    const later = PLACED.map(([at_s, ...rest]): EventLine => [at_s + 0.05, ...rest]);
    const touched = { contacts: [touch(50)], duration_s: 5.05, objects: [partAt(0.004)] };
    expect(
      compared({ lines: PLACED, contacts: [touch(42)] }, { lines: later, ...touched }),
    ).toEqual([]);
    const pressed = partAt(0.001, { status: 'moving', at: null });
    expect(compared({ lines: PLACED }, { lines: PLACED, objects: [pressed] })).toEqual([]);
    // Jaws may push an object out of its place as they close.
    const pushed: readonly EventLine[] = [[1, 'grasped'], ...PLACED.slice(1)];
    expect(compared({ lines: PLACED }, { lines: pushed })).toEqual([]);
    // A slide that sticks on the way is one slide.
    const slides: readonly EventLine[] = [
      [1, 'grasped'],
      [2, 'slid'],
      [2.1, 'slid'],
      [2.3, 'slid'],
    ];
    expect(compared({ lines: slides }, { lines: slides.slice(0, 2) })).toEqual([]);
  });

  it('differ at the first event that only one has, and say when and in which step', () => {
    const fell: readonly EventLine[] = [...PLACED.slice(0, 2), [3.2, 'tipped', 'floor']];
    const [first, ...others] = compared({ lines: PLACED }, { lines: fell });
    expect(others).toEqual([]);
    expect(first).toEqual({
      object: 'part',
      plants: {
        fast: {
          at_s: 3.1,
          step: '/timeline/2',
          text: 'part is resting at table in the end, (0.000, 0.000, 0.000) m',
        },
        rapier: { at_s: 3.2, step: '/timeline/2', text: 'part tipped' },
      },
    });
    expect(differenceText({ variation: 3, ...first! })).toBe(
      'variation 3, part: on fast, part is resting at table in the end, (0.000, 0.000, 0.000) m ' +
        '(3.10 s in /timeline/2); on rapier, part tipped (3.20 s in /timeline/2)',
    );
  });

  it.each([
    ['its place', partAt(0.006)],
    ['what it is on', partAt(0, { at: 'floor' })],
    ['whether it fell over', partAt(0, { status: 'tipped' })],
    ['what holds it', partAt(0, { status: 'held', at: null, held_by: 'gripper' })],
  ])('differ in the end of an object: %s', (_, end) => {
    const [first] = compared({ lines: PLACED }, { lines: PLACED, objects: [end] });
    expect(first?.plants.fast.text).toContain('part is resting at table in the end');
    expect(first?.plants.rapier.text).not.toBe(first?.plants.fast.text);
  });

  it.each([
    [
      'only one has',
      [],
      [touch(6)],
      ['tool and wall do not touch', 'tool touched wall with 6.0 N'],
    ],
    ['is stronger on one', [touch(30)], [touch(50)], ['with 30.0 N', 'with 50.0 N']],
  ] as const)('differ in a contact that %s', (_, fast, rapier, texts) => {
    const [first] = compared({ contacts: fast }, { contacts: rapier });
    expect(first?.object).toBe('tool and wall');
    expect(first?.plants.fast.text).toContain(texts[0]);
    expect(first?.plants.rapier.text).toContain(texts[1]);
  });

  it('differ in the verdict or the length of a run where nothing else does', () => {
    const failed = { problems: ['the run did not finish within 9 s'], failed_s: 9 };
    const [verdict] = compared({}, failed);
    expect(differenceText({ variation: null, ...verdict! })).toBe(
      'the run: on fast, the run is as expected; on rapier, the run did not finish within 9 s (9.00 s)',
    );
    const [length] = compared({ duration_s: 5 }, { duration_s: 5.2 });
    expect(length?.plants.rapier).toEqual({ at_s: 5.2, step: null, text: 'the run took 5.20 s' });
  });
});
