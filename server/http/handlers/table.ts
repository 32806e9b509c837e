/** All handlers of the arm's interface, by the id of their row. */
import type { Handlers } from '../handler.ts';
import { calculationHandlers } from './calculation.ts';
import { controlHandlers } from './controls.ts';
import { dataHandlers } from './data.ts';
import { informationHandlers } from './information.ts';
import { lockHandlers } from './lock.ts';
import { peopleHandlers } from './people.ts';
import { sessionHandlers } from './session.ts';
import { toolpathHandlers } from './toolpaths.ts';

export const handlers: Handlers = {
  ...sessionHandlers,
  ...peopleHandlers,
  ...lockHandlers,
  ...calculationHandlers,
  ...controlHandlers,
  ...dataHandlers,
  ...toolpathHandlers,
  ...informationHandlers,
};
