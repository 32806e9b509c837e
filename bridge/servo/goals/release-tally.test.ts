/** What a release says of itself, by what it did tick by tick. */
import { describe, expect, it } from 'vitest';
import { type ReleaseStep, ReleaseTally } from './release-tally.ts';

const TICK_S = 0.004;
const AT_REST: ReleaseStep = {
  brakes: false,
  pressed: false,
  force_n: 2,
  retreated_rad: 0,
  yielded_rad: 0,
};

/** A release of steps that each last for a time (s): the phases that it says, one after the other. */
function phasesOf(...parts: readonly (readonly [Partial<ReleaseStep>, number])[]) {
  const tally = new ReleaseTally();
  tally.begin();
  const phases: string[] = [];
  let step = AT_REST;
  for (const [part, duration_s] of parts) {
    for (let t_s = 0; t_s < duration_s - TICK_S / 2; t_s += TICK_S) {
      const { retreated_rad, yielded_rad } = step;
      step = { ...AT_REST, retreated_rad, yielded_rad, ...part };
      tally.update(step, TICK_S);
      if (tally.report.phase !== phases.at(-1)) phases.push(tally.report.phase);
    }
  }
  return { phases, report: tally.report };
}

const RETREATS = { pressed: true, force_n: 30, retreated_rad: 0.01 };
const BRAKES = { brakes: true, force_n: 50 };

describe('a release', () => {
  it('brakes, gives way and holds, with the greatest and the last force', () => {
    const yields = { pressed: true, yielded_rad: 0.02 };
    const { phases, report } = phasesOf([BRAKES, 0.1], [yields, 0.1], [{}, 0.4]);
    expect(phases).toEqual(['braking', 'giving way', 'holding']);
    expect(report).toMatchObject({ force_n: 2, peak_n: 50, yielded_rad: 0.02, relieved: 0 });
  });

  it('retreats while a joint goes back along its way', () => {
    const farther = { ...RETREATS, retreated_rad: 0.02 };
    expect(phasesOf([RETREATS, TICK_S], [farther, TICK_S]).phases).toEqual(['retreating']);
  });

  it('holds once nothing has pressed for 0.3 s, and a touch for 0.05 s does not end that', () => {
    expect(phasesOf([{ pressed: true }, 0.1], [{}, 0.2]).phases).toEqual(['giving way']);
    const { phases, report } = phasesOf([{}, 0.4], [{ pressed: true }, 0.05], [{}, 0.1]);
    expect([phases.at(-1), report.relieved]).toEqual(['holding', 0]);
  });

  it('counts each time that something presses it again', () => {
    const again = [{ pressed: true }, 0.2] as const;
    const { phases, report } = phasesOf([{}, 0.4], again, [{}, 0.4], again, [{}, 0.4]);
    expect(phases.slice(1)).toEqual(['holding', 'giving way', 'holding', 'giving way', 'holding']);
    expect(report.relieved).toBe(2);
  });
});
