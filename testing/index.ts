/** Package entry `armtwin/testing`: fixture, matchers and container for tests against a twin. */

export type { ContainerLibrary, ContainerOptions, StartedContainer } from './container.ts';
export { TwinContainer } from './container.ts';
export type { TwinMatchers } from './matchers.ts';
export { statesIn, twinMatchers } from './matchers.ts';
export type { TwinFixture } from './twin-fixture.ts';
export { openTwinFixture, useTwinFixture, vitestFixture } from './twin-fixture.ts';
