/**
 * Every figure of motion against its goal and, in the same run, against the plain way of the
 * textbooks: kinematics, collision, moves, builds, limits, pauses. Longer counts (1e6 poses, 1e5
 * moves, 15,000 pauses) are in the slow suite. Run: npm run bench bench/motion.bench.ts
 */
import { type Figure, printFigures } from './figure-table.ts';
import { buildFigures, goToFigures } from './motion-builds.ts';
import { collisionFigures, kinematicFigures } from './motion-kinematics.ts';
import { moveFigures, pauseFigures, setpointFigures } from './motion-timing.ts';

function* figures(): Iterable<Figure> {
  yield* kinematicFigures();
  yield* moveFigures();
  yield* buildFigures();
  yield* goToFigures();
  yield* collisionFigures();
  yield* setpointFigures();
  yield* pauseFigures();
}

const missed = printFigures(figures());
console.log(missed === 0 ? 'Every goal is met.' : `${missed} goals are missed.`);
