/** What tests import besides the twin itself: `import { … } from 'armtwin/testing'`. */
export type { ContainerLibrary, ContainerOptions, StartedContainer } from './container.ts';
export { TwinContainer } from './container.ts';
export { stageFixture, useStage } from './fixtures.ts';
export type { TwinMatchers } from './matchers.ts';
export { statesIn, twinMatchers } from './matchers.ts';
export type { Stage } from './stage.ts';
export { openStage } from './stage.ts';
