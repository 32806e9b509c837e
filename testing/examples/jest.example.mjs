/** A Jest file of a user of the package, shown in docs/testing.md. */
import { openTwinFixture, twinMatchers } from 'armtwin/testing';

expect.extend(twinMatchers);

let fixture;
beforeEach(async () => {
  fixture = await openTwinFixture();
});
afterEach(() => fixture.close());

test('the arm arrives', async () => {
  const { twin, arm } = fixture;
  await arm.takeLock();
  await arm.goTo({ mode: 'automatic', joints: [0.5, 0, 0, 0, 0, 0] });
  expect(twin).toBeInState('running');
  expect(await twin.until('ready', 60)).toBe(true);
  expect(twin).toStandAt([0.5, 0, 0, 0, 0, 0]);
});
