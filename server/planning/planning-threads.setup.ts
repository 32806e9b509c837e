/**
 * Keeps the planning threads of a test worker between its tests: a thread takes half a second of
 * processor time to start from the sources. Test code.
 */
import { PlanningPool } from './planning-pool.ts';

const kept = globalThis as { planningPoolOfTests?: PlanningPool };
kept.planningPoolOfTests ??= new PlanningPool();
