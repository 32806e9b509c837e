/**
 * Random calls around a snapshot, in a few rounds; the slow test has many.
 * @module-tag ci
 */
import { randomRestoreCases } from './random-restores.cases.ts';

randomRestoreCases('fast', 0, 3);
randomRestoreCases('rapier', 0, 1);
