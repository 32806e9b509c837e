/**
 * The cell of the arm of this process (fixtures/arms), where its gripper moves a part. For another arm
 * set ARMTWIN_ARM; the default arm has fixtures/cells.
 */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Cell } from '../../../contract/types.generated.ts';
import { ARM_NAME, GRIPPER_SERVO, IS_DEFAULT_ARM } from '../../../physics/arm/arm-model.ts';
import { PICK_AND_PLACE, PLACED, rehearsed } from './rehearse.cases.ts';

const [cell, toolpath] = IS_DEFAULT_ARM
  ? ['trays', PICK_AND_PLACE]
  : [`../arms/${ARM_NAME}/cell`, `fixtures/arms/${ARM_NAME}/pick-and-place.json`];

it(`${ARM_NAME} moves a part on both plants`, async () => {
  const run = await rehearsed(cell, toolpath, { driver: 'default', expect: PLACED });
  expect(run).toMatchObject({ code: 0, err: '' });
});

it.skipIf(GRIPPER_SERVO === null)('has jaws on the signals of its servo', () => {
  const { grippers } = JSON.parse(readFileSync(`fixtures/cells/${cell}.json`, 'utf8')) as Cell;
  const { output, part_present_input, opening_m } = GRIPPER_SERVO!;
  const jaws = { kind: 'jaws', output, part_present_input, stroke_m: opening_m[1] };
  expect(grippers).toMatchObject([jaws]);
});
