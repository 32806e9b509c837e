/**
 * Read-only diagnosis of Feetech STS servos for `armtwin doctor`: each servo's registers against
 * the vendor's table and the calibration, and what this family cannot do.
 */
import type { Bus } from '../bus/bus.ts';
import {
  type Calibration,
  intoOneTurn,
  JointUnits,
  type ServoSlot,
  servoSlots,
} from '../servo/calibration.ts';
import { RANGE_SLACK_RAD } from '../servo/goal-range.ts';
import { HELD_LAG_MAX_RAD } from '../servo/safe-start.ts';
import {
  fixesOf,
  note,
  problem,
  type RegisterFinding,
  type ServoFix,
} from '../servo/servo-checks.ts';
import {
  compareWithCalibration,
  type DiagnosedServo,
  type FoundServo,
  LATENCY_MAX_MS,
  LISTEN_MS,
  missingServos,
  type ServoDiagnosis,
} from '../servo/servo-diagnostics.ts';
import { type BusClock, delay } from '../transport/bus-clock.ts';
import { FULL_TORQUE, STS_LACKS, STS_MODELS, stsError, stsFirmware } from './sts-inspection.ts';
import { stsExchange } from './sts-link.ts';
import { pingSts, readSts, STS_REGISTER, type StsRegisterName, scanSts } from './sts-packets.ts';

/** Baud rates by their code in the servo. */
const BAUDS = [1_000_000, 500_000, 250_000, 128_000, 115_200, 76_800, 57_600, 38_400];
/** Bits of the unloading condition at delivery: temperature, current, overload. */
const UNLOADING = 44;

/** A register that protects the servo: its value at delivery, and what other values do. */
type Delivered = readonly [
  name: StsRegisterName,
  value: number,
  wrong: 'above' | 'below' | 'other',
  says: (value: number) => string,
];

const DELIVERED: readonly Delivered[] = [
  ['temperature_limit', 70, 'above', (c) => `unloads at ${c} °C only`],
  ['protective_torque', 20, 'above', (share) => `keeps ${share} % of its torque in overload`],
  ['protection_time', 200, 'above', (t) => `unloads after ${t / 100} s of overload only`],
  ['overload_torque', 80, 'above', (share) => `counts as overload only ${share} % of its torque`],
  ['voltage_max', 140, 'above', (v) => `works above its supply range (${v / 10} V)`],
  ['voltage_min', 40, 'below', (v) => `works below its supply range (${v / 10} V)`],
  ['startup_force', 16, 'above', (least) => `pushes with ${least / 10} % of its torque at least`],
  ['dead_forward', 1, 'above', (steps) => `does not correct errors of ${steps} steps`],
  ['dead_backward', 1, 'above', (steps) => `does not correct errors of -${steps} steps`],
  ['resolution', 1, 'other', (times) => `counts ${times} steps as one (resolution)`],
];

const IS_WRONG = {
  above: (found: number, value: number) => found > value,
  below: (found: number, value: number) => found < value,
  other: (found: number, value: number) => found !== value,
};

/** A motor stops at this much below the temperature limit of the calibration (K). */
const WARM_K = 5;
/** Phase bit that makes positions count turns. */
const PHASE_TURNS = 0x10;

type Registers = Readonly<Record<StsRegisterName, number>>;

type Check = (registers: Registers, slot: ServoSlot | null) => RegisterFinding | null;

const CORRECTS = 'a start corrects it';

const CHECKS: readonly Check[] = [
  (r) => note(r.operating_mode !== 0, `is not in position mode; ${CORRECTS}`),
  (r) => note(r.return_delay !== 0, `has a return delay; ${CORRECTS}`, ['return_delay', 0]),
  (r) => note(r.status_level !== 1, `answers only reads (status level); ${CORRECTS}`),
  (r) => note((r.phase & PHASE_TURNS) !== 0, `counts turns (phase bit 4); ${CORRECTS}`),
  (r) =>
    note(
      r.goal_speed !== 0 || r.acceleration !== 0,
      `has a goal speed or acceleration; ${CORRECTS}`,
    ),
  (r) => note(r.position_min === 0 && r.position_max === 0, `has no position limits; ${CORRECTS}`),
  ...DELIVERED.map(([name, value, wrong, says]): Check => {
    const fix = `set register ${STS_REGISTER[name].address} to ${value}`;
    // Another resolution changes what all positions mean.
    const safe = wrong === 'other' ? undefined : ([name, value] as const);
    return (r) => problem(IS_WRONG[wrong](r[name], value), `${says(r[name])}: ${fix}`, safe);
  }),
  (r) =>
    problem(
      (r.unloading & UNLOADING) !== UNLOADING,
      `does not unload for all faults (${r.unloading}): set register 19 to ${UNLOADING}`,
      ['unloading', r.unloading | UNLOADING],
    ),
  (r) =>
    problem(
      r.voltage < r.voltage_min || r.voltage > r.voltage_max,
      `has a supply of ${r.voltage / 10} V, outside of its limits: check the supply and its wires`,
    ),
  (r, slot) => {
    const wanted = Math.round(((slot?.calibration.limits?.pwm_percent ?? 100) / 100) * FULL_TORQUE);
    const least = Math.min(r.torque_max, r.torque_limit);
    const say = `is weakened by a torque limit of ${least / 10} %: set it to ${wanted / 10} %`;
    return problem(least < wanted, `${say}, or calibrate for it`);
  },
  (r, slot) =>
    problem(
      slot?.calibration.drive !== undefined && r.position_p !== slot.calibration.drive.position_p,
      `has a P gain of ${r.position_p}, the calibration ${slot?.calibration.drive?.position_p}: ` +
        'its load is misjudged; correct one of them',
    ),
  (r, slot) => {
    const drive = slot?.calibration.drive;
    const differs = (['position_i', 'position_d'] as const).some(
      (name) => drive?.[name] !== undefined && r[name] !== drive[name],
    );
    return note(differs, `has an I or D gain that is not that of the calibration; ${CORRECTS}`);
  },
  (r, slot) => {
    const wanted = slot && slot.id === slot.leader ? slot.calibration.homing_ticks : undefined;
    return problem(
      wanted !== undefined && r.homing_offset !== wanted,
      `has a position correction of ${r.homing_offset}, and the calibration counts on ${wanted}: ` +
        'write it back, or calibrate again',
    );
  },
  (r, slot) => {
    if (!slot || (r.position_min === 0 && r.position_max === 0)) return null;
    const units = new JointUnits(slot.calibration);
    const ends = [slot.calibration.min_rad, slot.calibration.max_rad].map((x) => units.toTicks(x));
    const narrow = r.position_min > Math.min(...ends) || r.position_max < Math.max(...ends);
    const range = `${r.position_min}..${r.position_max}`;
    const say = `allows positions ${range} only, less than the calibration`;
    return problem(narrow, `${say}: narrow min_rad and max_rad`);
  },
  (r, slot) => {
    if (!slot) return null;
    const { min_rad, max_rad } = slot.calibration;
    const angle = new JointUnits(slot.calibration).toAngle(intoOneTurn(r.present_position));
    const out = angle < min_rad - RANGE_SLACK_RAD || angle > max_rad + RANGE_SLACK_RAD;
    const say = `stands at ${angle.toFixed(3)} rad, outside of its range`;
    return problem(out, `${say}: move it inside, or calibrate again`);
  },
  (r, slot) => {
    if (!slot || r.torque !== 1) return null;
    const units = new JointUnits(slot.calibration);
    const lag = Math.abs(units.toAngle(r.goal_position) - units.toAngle(r.present_position));
    const say = `holds ${lag.toFixed(3)} rad from its goal: free what blocks it`;
    return problem(lag > HELD_LAG_MAX_RAD, say);
  },
  (r, slot) =>
    problem(
      slot !== null && r.temperature > slot.calibration.temperature_max_c - WARM_K,
      `is at ${r.temperature} °C, near its limit: let it cool down`,
    ),
];

class StsDiagnosticRun {
  readonly problems: string[] = [];
  readonly notes: string[] = [];
  readonly fixes: ServoFix[] = [];
  /** False once another program moves the servos. */
  trusted = true;
  private readonly bus: Bus;
  private readonly clock: BusClock;
  private readonly slots: readonly ServoSlot[];
  private readonly goals = new Map<number, number>();
  private readonly found: FoundServo[] = [];

  constructor(bus: Bus, clock: BusClock, calibration: Calibration | null) {
    this.bus = bus;
    this.clock = clock;
    this.slots = calibration ? servoSlots(calibration) : [];
  }

  async diagnose(id: number): Promise<DiagnosedServo | null> {
    const values: Partial<Record<StsRegisterName, number>> = {};
    for (const name of Object.keys(STS_REGISTER) as StsRegisterName[]) {
      const value = await readSts(this.bus, id, name);
      if (value === null) {
        this.problems.push(`Servo ${id} does not answer for ${name}: check its cable and firmware`);
        return null;
      }
      values[name] = value;
    }
    const registers = values as Registers;
    this.goals.set(id, registers.goal_position);
    this.check(id, registers);
    const latency_ms = await this.measureLatency(id);
    if (latency_ms > LATENCY_MAX_MS) {
      const advice = 'lower the latency timer of a USB adapter, or raise the baud';
      this.problems.push(`Servo ${id} answers after ${latency_ms.toFixed(1)} ms: ${advice}`);
    }
    const model = STS_MODELS[registers.model] ?? String(registers.model);
    const firmware = stsFirmware(registers.firmware);
    const position_ticks = registers.present_position;
    this.found.push({ id, model, firmware, position_ticks });
    return {
      id,
      model,
      firmware,
      baud: BAUDS[registers.baud] ?? null,
      voltage_v: registers.voltage / 10,
      temperature_c: registers.temperature,
      torque_on: registers.torque === 1,
      latency_ms,
    };
  }

  private check(id: number, registers: Registers): void {
    const report = (text: string) => this.problems.push(`Servo ${id} ${text}`);
    if (!STS_MODELS[registers.model]) {
      report(`is of model ${registers.model}, which is not supported: use an STS3215`);
    }
    if (registers.status !== 0) {
      report(`reports an error: ${stsError(registers.status).text}; fix the cause`);
    }
    const slot = this.slots.find((one) => one.id === id) ?? null;
    const findings = CHECKS.flatMap((check) => check(registers, slot) ?? []);
    if (STS_MODELS[registers.model]) this.fixes.push(...fixesOf(id, registers, findings));
    for (const { kind, text } of findings) {
      (kind === 'problem' ? this.problems : this.notes).push(`Servo ${id} ${text}`);
    }
  }

  private async measureLatency(id: number): Promise<number> {
    let quickest_ms = Number.POSITIVE_INFINITY;
    for (let i = 0; i < 5; i++) {
      const start_ms = this.clock.now_ms();
      await pingSts(this.bus, id);
      quickest_ms = Math.min(quickest_ms, this.clock.now_ms() - start_ms);
    }
    return quickest_ms;
  }

  checkMissing(ids: readonly number[]): void {
    this.problems.push(...missingServos(this.slots, ids));
  }

  /** Compares the servos with the calibration and with the others of their joints. */
  checkJoints(): void {
    const { problems, notes } = compareWithCalibration(this.slots, this.found);
    this.problems.push(...problems);
    this.notes.push(...notes);
  }

  /** Detects goals of another program. */
  async checkOtherMaster(): Promise<void> {
    await delay(this.clock, LISTEN_MS);
    const moved: number[] = [];
    for (const [id, goal] of this.goals) {
      const now = await readSts(this.bus, id, 'goal_position');
      if (now !== null && now !== goal) moved.push(id);
    }
    if (moved.length === 0) return;
    this.trusted = false;
    const remedy = 'stop the other program, or connect one master only';
    this.problems.push(`Another program moves servo ${moved.join(', ')}: ${remedy}`);
  }
}

/** Diagnoses all servos on a bus; `calibration` names those that must be present. */
export async function diagnoseSts(
  bus: Bus,
  clock: BusClock,
  calibration: Calibration | null,
): Promise<ServoDiagnosis> {
  const found = await scanSts(bus);
  const run = new StsDiagnosticRun(bus, clock, calibration);
  if (found.length === 0) {
    const family = 'DYNAMIXEL servos need --servo-family dynamixel';
    const advice = `check supply, cable, baud and adapter, and the family: ${family}`;
    run.problems.push(bus.problem ?? `No servo answers on ${bus.name}: ${advice}`);
  }
  const slow = found.length > 0 ? bus.rateProblem(stsExchange(found)) : null;
  if (slow !== null) run.problems.push(slow);
  run.checkMissing(found);
  const servos: DiagnosedServo[] = [];
  for (const id of found) {
    const servo = await run.diagnose(id);
    if (servo) servos.push(servo);
  }
  run.checkJoints();
  await run.checkOtherMaster();
  const { checksum_errors, dropped_bytes } = bus.readerCounts;
  const isCorrupt = checksum_errors + dropped_bytes > 0;
  if (isCorrupt) {
    const reasons = 'two servos with one id, a wrong baud or bad wiring; connect one at a time';
    run.problems.push(`Replies are corrupt: ${reasons}`);
  }
  const lacks = STS_LACKS.map((text) => `These servos ${text}`);
  const fixes = run.trusted && !isCorrupt ? run.fixes : [];
  return { servos, problems: run.problems, notes: [...run.notes, ...lacks], fixes };
}
