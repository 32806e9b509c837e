/** A thread that rehearses on one plant while the command rehearses on another. */
import { startTwin } from './app/app.ts';
import { type PlantOutcome, type PlantTask, rehearseOn } from './cli/commands/plant-rehearsal.ts';

/** Rehearses; threads enter here. */
export default (task: PlantTask): Promise<PlantOutcome> => rehearseOn(task, startTwin);
