/** The planner: equal results inline and on threads, cached by hash, limited in time. */
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { isRefusal, type Refusal } from '../../contract/refusal.ts';
import type { Toolpath } from '../../contract/types.generated.ts';
import { createProfilePoint, sampleProfile } from '../../physics/motion/time-profile.ts';
import type { Program } from '../../physics/toolpath/program.ts';
import { systemClock } from '../clock/wall-clock.ts';
import { toolpathText } from '../documents/toolpath-text.ts';
import { createPlanner } from './planner.ts';

const pickAndPlace = JSON.parse(
  readFileSync('fixtures/toolpaths/pick-and-place.json', 'utf8'),
) as Toolpath;
const inline = createPlanner({ wall: systemClock, inline: true });
const threaded = createPlanner({ wall: systemClock });
const START = [0, 0.5, -1.7, 0, -1.2, 0];

afterAll(() => threaded.close());

function withSpeed(default_max_speed: number): Toolpath {
  return { ...pickAndPlace, metadata: { ...pickAndPlace.metadata, default_max_speed } };
}

const ADA = { owner: 1 };

/** What was planned; throws where it was refused. */
async function done<Plan extends object>(planning: Promise<Plan>): Promise<Exclude<Plan, Refusal>> {
  const plan = await planning;
  if (isRefusal(plan)) throw new Error(String(plan.details));
  return plan as Exclude<Plan, Refusal>;
}

async function programOf(planner: typeof inline, toolpath: Toolpath): Promise<Program> {
  const plan = await done(
    planner.load({ name: '', toolpath: toolpathText(toolpath), claimant: ADA }),
  );
  if (plan.kind !== 'built') throw new Error(plan.error);
  return plan.loaded.program;
}

describe.each([
  ['inline', inline],
  ['on a thread', threaded],
])('planning %s', (_name, planner) => {
  it('returns a trajectory as JSON text', async () => {
    const built = await done(planner.build(toolpathText(pickAndPlace), ADA));
    expect(built.outcome).toEqual({ kind: 'built' });
    expect(built.trajectory.duration).toBeGreaterThan(2);
    expect(new TextDecoder().decode(built.json)).toBe(JSON.stringify(built.trajectory));
  });

  it('returns a program with all its steps', async () => {
    const program = await programOf(planner, pickAndPlace);
    expect(program.steps.map((step) => step.at)).toEqual(
      pickAndPlace.timeline.slice(1).map((_, i) => `/timeline/${i + 1}`),
    );
  });

  it('returns motion errors', async () => {
    const waypoints = pickAndPlace.waypoints.map((waypoint) => ({ ...waypoint }));
    waypoints[2] = { ...waypoints[2]!, joints: [0, -2.3, 0, 0, 0, 0] };
    const faulty = { ...pickAndPlace, waypoints };
    const fault = { kind: 'soft', code: 'plane_collision', path: '/timeline/2' };
    const toolpath = toolpathText(faulty);
    expect(await planner.load({ name: '', toolpath, claimant: ADA })).toMatchObject(fault);
    const built = await done(planner.build(toolpath, ADA));
    expect(built.outcome).toMatchObject(fault);
    expect(built.trajectory.error).toContain('/timeline/2');
    expect(built.trajectory.duration).toBeUndefined();
  });

  it('caches builds by hash: equal toolpaths share one result', async () => {
    const first = programOf(planner, pickAndPlace);
    const second = programOf(planner, structuredClone(pickAndPlace));
    expect(await first).toBe(await second);
    expect(await programOf(planner, withSpeed(0.3))).not.toBe(await first);
  });

  it('plans go_to and refuses it with a code', async () => {
    const joints = [0.3, 0.5, -1.7, 0, -1.2, 0];
    expect(await planner.goTo({ start: START, joints, mode: 'teach' })).toMatchObject({ ok: true });
    const below = await planner.goTo({
      start: START,
      joints: [0, -2.3, 0, 0, 0, 0],
      mode: 'teach',
    });
    expect(below).toMatchObject({ ok: false, code: 'plane_collision', path: '/joints' });
  });

  it('extends the time of a teach go_to that only its cap makes too short (D24)', async () => {
    const motion = { start: START, joints: [0.3, 0.5, -1.7, 0, -1.2, 0] };
    const least = async (mode: 'teach' | 'automatic') => {
      const plan = await planner.goTo({ ...motion, mode, time: 1e-3 });
      return plan.ok ? 0 : (plan.minimum_time_s ?? 0);
    };
    const fastest_s = await least('automatic');
    expect(fastest_s).toBeGreaterThan(0.1);
    expect(await least('teach')).toBe(fastest_s);
    const slow = await planner.goTo({ ...motion, mode: 'teach', max_speed: 0.25 });
    const slowed = await planner.goTo({ ...motion, mode: 'teach', time: fastest_s });
    if (!slow.ok || !slowed.ok) throw new Error('a motion was refused');
    expect(slowed.segment.profile).toEqual(slow.segment.profile);
    expect(slowed.segment.profile.duration_s).toBeGreaterThan(fastest_s);
    const longer_s = slow.segment.profile.duration_s + 1;
    const longer = await planner.goTo({ ...motion, mode: 'teach', time: longer_s });
    expect(longer.ok && longer.segment.profile.duration_s).toBeCloseTo(longer_s, 9);
  });

  it.each(['teach', 'automatic'] as const)(
    'stays for the time of a go_to to here, in %s',
    async (mode) => {
      const joints = Array.from(START);
      const plan = await planner.goTo({ start: START, joints, mode, time: 4 });
      expect(plan.ok && plan.segment.profile.duration_s).toBe(4);
      const free = await planner.goTo({ start: START, joints, mode });
      expect(free.ok && free.segment.profile.duration_s).toBe(0);
    },
  );

  it.each(['joint_space', 'linear'])(
    'stays for the time of a %s move to the same waypoint',
    async (kind) => {
      const { timeline, ...rest } = pickAndPlace;
      const to = (more: object) => ({
        type: 'trajectory',
        trajectory: kind,
        waypoint_id: 0,
        ...more,
      });
      const held = { ...rest, timeline: [timeline[0]!, to({ time: 4 }), to({})] } as Toolpath;
      const { steps } = await programOf(planner, held);
      const moves = steps.flatMap((step) => (step.kind === 'move' ? [step.move] : []));
      const times_s = moves.map(({ automatic, teach }) => [automatic.duration_s, teach.duration_s]);
      expect(times_s).toEqual([
        [4, 4],
        [0, 0],
      ]);
    },
  );

  it('still refuses a teach go_to that collides, whatever its time', async () => {
    const joints = [0, -2.3, 0, 0, 0, 0];
    for (const time of [0.001, 3, 60]) {
      const plan = await planner.goTo({ start: START, joints, mode: 'teach', time });
      expect(plan.ok).toBe(false);
    }
  });

  it('resumes at the stop, no faster than planned', async () => {
    const program = await programOf(planner, pickAndPlace);
    const step = program.steps.find((entry) => entry.kind === 'move');
    if (step?.kind !== 'move') throw new Error('no move');
    const caps = { tool_speed_m_s: 0.25, tool_offset_m: [0, 0, 0.1] as const };
    const paused = { path: step.move.path, s: 0.4, caps, nominal_rest_s: 7 };
    const profile = await done(planner.resume(paused, ADA));
    const point = createProfilePoint();
    sampleProfile(profile, 0, point);
    expect(point.s).toBeCloseTo(0.4, 12);
    sampleProfile(profile, profile.duration_s, point);
    expect(point.s).toBeCloseTo(1, 12);
    expect(profile.duration_s).toBeCloseTo(7, 9);
  });
});

describe('the planning threads', () => {
  it('give bit-identical results to inline planning', async () => {
    const here = await done(inline.build(toolpathText(withSpeed(0.4)), ADA));
    const there = await done(threaded.build(toolpathText(withSpeed(0.4)), ADA));
    expect(Buffer.compare(here.json, there.json)).toBe(0);
    const program = await programOf(threaded, withSpeed(0.4));
    expect(program).toEqual(await programOf(inline, withSpeed(0.4)));
  });

  it('send long programs completely, in pages with one buffer each', async () => {
    const timeline: Toolpath['timeline'] = [{ type: 'home', waypoint_id: 0 }];
    for (let i = 0; i < 250; i++) {
      timeline.push({ type: 'trajectory', trajectory: 'joint_space', waypoint_id: (i + 1) % 5 });
    }
    const long = { ...withSpeed(0.2), timeline };
    const there = await programOf(threaded, long);
    expect(there).toEqual(await programOf(inline, long));
    const buffers = there.steps.map((step) =>
      step.kind === 'move' ? step.move.automatic.knots_s.buffer : null,
    );
    expect(new Set(buffers.slice(0, 100)).size).toBe(1);
    expect(new Set(buffers).size).toBe(3);
  });

  it('refuse a build at the time limit, and do not keep that', async () => {
    const hasty = createPlanner({ wall: systemClock, build_limit_s: 0.001 });
    // Hundreds of times the limit's work: no machine is done before the limit is looked at.
    const long = withSpeed(0.31);
    const [home, ...rest] = long.timeline;
    const timeline = [home!, ...Array.from({ length: 60 }, () => rest).flat()];
    const built = await hasty.build(toolpathText({ ...long, timeline }), ADA);
    expect(built).toMatchObject({
      refused: 'timed_out',
      details: expect.stringContaining('0.001'),
    });
    await hasty.close();
    const later = await done(threaded.build(toolpathText(withSpeed(0.31)), ADA));
    expect(later.outcome).toEqual({ kind: 'built' });
  });

  it('remain for other planners when one is closed; closing twice is allowed', async () => {
    const other = createPlanner({ wall: systemClock });
    await other.close();
    await other.close();
    expect((await done(threaded.build(toolpathText(withSpeed(0.32)), ADA))).outcome).toEqual({
      kind: 'built',
    });
  });
});
