/** Package entry `armtwin/testing`: fixture, matchers and container for tests against a twin. */

export type { ContainerLibrary, ContainerOptions, StartedContainer } from './container.ts';
export { TwinContainer } from './container.ts';
export type { TwinMatchers } from './matchers.ts';
export { statesIn, twinMatchers } from './matchers.ts';
export type { TwinFixture, TwinFixture as Stage } from './twin-fixture.ts';
export {
  openTwinFixture,
  openTwinFixture as openStage,
  stageFixture,
  useTwinFixture,
  useTwinFixture as useStage,
  vitestFixture,
} from './twin-fixture.ts';
