import { expect, it } from 'vitest';
import type { Situation } from '../../../contract/types.generated.ts';
import { situationText } from './situation-text.ts';

it('says what a situation does, or why it cannot begin', () => {
  const situation: Situation = {
    name: 'gripper_jams',
    does: 'The gripper does not move',
    parameters: [],
    active: false,
    possible: true,
    hindrance: null,
  };
  expect(situationText(situation)).toBe('The gripper does not move');
  const hindered = { ...situation, possible: false, hindrance: 'Load a cell' };
  expect(situationText(hindered)).toBe('Not possible now. Load a cell');
});
