/**
 * The arm of this process on an emulated bus from the calibration on: measured with its second servos
 * and its gripper, looked at by the doctor, and started. For another arm set ARMTWIN_ARM.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EMULATED_CALIBRATION } from '../../../bridge/dynamixel/emulated-calibration.ts';
import { ServoEmulator } from '../../../bridge/dynamixel/emulator/servo-emulator.ts';
import { DYNAMIXEL } from '../../../bridge/dynamixel/family.ts';
import { createBus } from '../../../bridge/servo/bus/create-bus.ts';
import { readCalibration } from '../../../bridge/servo/calibration/calibration-file.ts';
import { armOn } from '../../../bridge/servo/servo-arm.cases.ts';
import { FAMILIES } from '../../../bridge/servo-families.ts';
import { parseBusAddress } from '../../../bridge/transport/bus-address.ts';
import { systemBusClock as clock } from '../../../bridge/transport/bus-clock.ts';
import { serveTcpPeer } from '../../../bridge/transport/tcp-peer.ts';
import { ARM_NAME } from '../../../physics/arm/arm-model.ts';
import { runCalibrate } from './calibrate.ts';
import { runDoctor } from './doctor.ts';

const { gripper } = EMULATED_CALIBRATION;
const TURN_RAD = 0.3;
/** Steps by which a horn is not quite where it was measured. */
const CLOSE_TICKS = 3;
/** Time until the operator confirms: the emulated servos see the turn within a millisecond. */
const ENTER_MS = 20;
/** A joint that gets torque sags by its load (rad); a start refuses 0.05. */
const SAG_RAD = 0.05;

/** An operator who reads each sentence and does what it says, to the arm on the bench. */
function operatorOf({ plant, jaws }: ServoEmulator) {
  const input = new PassThrough();
  const said: string[] = [];
  const write = (text: string) => {
    said.push(text);
    const joint = /Turn J(\d)/.exec(text)?.[1];
    if (joint !== undefined) plant.position_rad[Number(joint) - 1]! += TURN_RAD;
    else if (/at zero/.test(text)) plant.position_rad.fill(0);
    else if (/^Open the gripper/.test(text)) jaws.put(1);
    else if (/^Shut the gripper/.test(text)) jaws.put(0);
    if (text.endsWith(': ')) clock.after(ENTER_MS, () => input.write('\n'));
  };
  return { input, said, out: { write }, err: { write } };
}

describe(`${ARM_NAME} on an emulated bus`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'armtwin-calibrate-'));
  const file = join(folder, 'calibration.json');
  const emulator = new ServoEmulator({ clock, supported: true });
  let bus = '';
  let close: () => Promise<void>;

  beforeAll(async () => {
    const served = await serveTcpPeer(emulator, 0);
    bus = `tcp://127.0.0.1:${served.port}`;
    close = served.close;
  });
  afterAll(async () => {
    await close();
    rmSync(folder, { recursive: true });
  });

  it('is calibrated by its own ids, second servos and gripper with it', async () => {
    const operator = operatorOf(emulator);
    expect([await runCalibrate({ bus, out: file, drive: true }, operator), operator.said]).toEqual([
      0,
      expect.anything(),
    ]);
    const found = readCalibration(file, FAMILIES);
    if (!found.ok) return expect.unreachable(found.error);
    const { joints, ...calibration } = found.value;
    expect(joints.map(({ ids }) => ids)).toEqual(EMULATED_CALIBRATION.joints.map(({ ids }) => ids));
    for (const { direction, zero_ticks, servos, ids } of joints) {
      expect(direction).toBe(1);
      expect(Math.abs(zero_ticks - 2048)).toBeLessThanOrEqual(CLOSE_TICKS);
      expect(servos!.map(({ id }) => id)).toEqual(ids);
    }
    expect(calibration.gripper === undefined).toBe(gripper === undefined);
    if (!gripper) return;
    const { id, output, part_present_input, open_ticks, closed_ticks } = calibration.gripper!;
    expect({ id, output, part_present_input }).toEqual({
      ...{ id: gripper.id, output: gripper.output },
      part_present_input: gripper.part_present_input,
    });
    expect(Math.abs(open_ticks - gripper.open_ticks)).toBeLessThanOrEqual(CLOSE_TICKS);
    expect(Math.abs(closed_ticks - gripper.closed_ticks)).toBeLessThanOrEqual(CLOSE_TICKS);
  });

  it('has no problem that a doctor finds with that calibration', async () => {
    emulator.plant.position_rad.fill(0);
    const operator = operatorOf(emulator);
    expect([await runDoctor({ bus, calibration: file }, operator), operator.said.join('')]).toEqual(
      [0, expect.stringMatching(/^no problem found/m)],
    );
    expect(operator.said.join('')).not.toMatch(/is not in the calibration/);
  });

  it('starts with it, and holds where it is', async () => {
    const address = parseBusAddress(bus);
    const found = readCalibration(file, FAMILIES);
    if (!address.ok || !found.ok) return expect.unreachable();
    const line = createBus(DYNAMIXEL, address.value, clock);
    const arm = armOn(line, clock, found.value);
    const { position_rad } = await arm.start();
    for (const angle of position_rad) expect(Math.abs(angle)).toBeLessThan(SAG_RAD);
    expect(arm.read().gripper?.id).toBe(gripper?.id);
    await arm.stop();
  });

  it('is not calibrated with a servo of a joint as its gripper', async () => {
    const operator = operatorOf(emulator);
    const flags = { bus, out: file, ids: '1,2,3,4,5,6', gripper: '3' };
    expect(await runCalibrate(flags, operator)).toBe(2);
    expect(operator.said).toEqual([
      expect.stringMatching(/^--gripper takes the id of a servo of no/),
    ]);
    const feetech = { bus, out: file, servoFamily: 'feetech', gripper: '9' };
    const other = operatorOf(emulator);
    expect(await runCalibrate(feetech, other)).toBe(2);
    expect(other.said).toEqual([expect.stringMatching(/Feetech servos drive no gripper/)]);
  });
});
