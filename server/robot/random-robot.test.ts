/**
 * The robot and its reference model in 15,000 random commands.
 * @module-tag ci
 */
import { randomCommandCases } from './random-robot.cases.ts';

randomCommandCases({ walks: 150, transitions: 8, refusals: 1 });
