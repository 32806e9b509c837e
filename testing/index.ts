/** Package entry `armtwin/testing`: fixture, matchers and container for tests against a twin. */

export type { TwinMatchers } from './matchers.ts';
export { statesIn, twinMatchers } from './matchers.ts';
export type {
  ContainerLibrary,
  ContainerOptions,
  StartedContainer,
  TwinFixture,
  TwinFixture as Stage,
} from './twin-fixture.ts';
export {
  openTwinFixture,
  openTwinFixture as openStage,
  stageFixture,
  TwinContainer,
  useTwinFixture,
  useTwinFixture as useStage,
  vitestFixture,
} from './twin-fixture.ts';
