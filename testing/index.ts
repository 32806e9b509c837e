/** Package entry `armtwin/testing`: fixture, matchers and container for tests against a twin. */

export type {
  ContainerLibrary,
  ContainerOptions,
  StartedContainer,
  TwinFixture,
  TwinFixture as Stage,
  TwinMatchers,
} from './twin-fixture.ts';
export {
  openTwinFixture,
  openTwinFixture as openStage,
  stageFixture,
  statesIn,
  TwinContainer,
  twinMatchers,
  useTwinFixture,
  useTwinFixture as useStage,
  vitestFixture,
} from './twin-fixture.ts';
