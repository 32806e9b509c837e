/** Lives of the service on one folder that end with kills, competitors and full disks. */
import { playServiceHistory } from '../../server/service/http/service-history.cases.ts';
import { IS_TIMED, outcomeOf, type RobustnessCheck } from './check.ts';
import { BUILT } from './twin-process.ts';

const LIVES = IS_TIMED ? 20 : 2;

export const historyChecks: readonly RobustnessCheck[] = [
  {
    id: 'histories',
    fault: 'kill −9, SIGSTOP, full disks and second instances while six clients work',
    goal: 'every acknowledged change is there, no refused one, no number twice',
    in: 'npm test -- --all',
    async run() {
      const main = process.env['ARMTWIN_MAIN'] ?? BUILT;
      const { violations, counts = {} } = await playServiceHistory({ seed: 2, lives: LIVES, main });
      const figure = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
      return outcomeOf([...figure, ...violations.slice(0, 3)].join(', '), {
        consistent: violations.length === 0,
        acknowledged: (counts['acknowledged'] ?? 0) > LIVES,
      });
    },
  },
];
