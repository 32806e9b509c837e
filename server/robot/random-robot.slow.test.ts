/** The robot and its reference model in 100,000 random commands. */
import { randomCommandCases } from './random-robot.cases.ts';

randomCommandCases({ walks: 1000, transitions: 60, refusals: 15 });
