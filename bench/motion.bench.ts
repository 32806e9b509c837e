/**
 * All motion figures against their goals and, in the same run, against the textbook baselines:
 * kinematics, collision, moves, builds, limits, pauses. The slow test suite has the longer counts
 * (1e6 poses, 1e5 moves, 15,000 pauses). Run: npm run bench motion
 */
import { type Figure, printFigureTable } from './figure-table.ts';
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

const missed = printFigureTable(figures());
console.log(missed === 0 ? 'Every goal is met.' : `${missed} goals are missed.`);
