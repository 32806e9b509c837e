/** The driver of an arm in another process conforms to the port, and checks what that sends. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { armDriverCases, stationarySetpoint } from './arm-driver.cases.ts';
import { type ArmDriver, type Feedback, TICK_S } from './arm-driver.ts';
import { RemoteArm } from './remote-arm.ts';
import { createTransport, parseBusAddress } from './transport/bus-address.ts';
import { systemBusClock } from './transport/bus-clock.ts';

const PROGRAM = fileURLToPath(new URL('../fixtures/drivers/joints.mjs', import.meta.url));

/** A clock that stands while the test waits for an answer, however long a busy machine takes. */
class StandingClock {
  ms = 0;
  readonly after = systemBusClock.after;
  readonly now_ms = () => this.ms;
}

function armAt(address: string, clock = new StandingClock()) {
  const parsed = parseBusAddress(address);
  if (!parsed.ok || parsed.value.kind !== 'tcp') throw new Error(`not an address: ${address}`);
  return { arm: new RemoteArm(createTransport(parsed.value), clock), clock };
}

/** Lets all lines be answered, then a tick pass. */
async function answered(driver: ArmDriver, clock: StandingClock): Promise<void> {
  while (!(driver as RemoteArm).idle) await new Promise((done) => setImmediate(done));
  clock.ms += 1000 * TICK_S;
}

describe('an arm in another process', () => {
  let program: ChildProcess;
  let address = '';
  const clocks = new WeakMap<ArmDriver, StandingClock>();
  const create = () => {
    const { arm, clock } = armAt(address);
    clocks.set(arm, clock);
    return arm;
  };

  beforeAll(async () => {
    // The program's own watch over silence must not depend on this machine's load.
    program = spawn(process.execPath, [PROGRAM, '20000'], { stdio: ['ignore', 'pipe', 'inherit'] });
    address = await new Promise((done) => {
      program.stdout?.on('data', (text) => done(String(text).trim()));
    });
  });
  afterAll(() => program.kill());

  armDriverCases('another process', create, {
    afterTick: (driver) => answered(driver, clocks.get(driver)!),
  });

  it('ends a motion after a stall of this program, and does not resume it', async () => {
    const arm = create();
    const clock = clocks.get(arm)!;
    await arm.start();
    const follow = { ...stationarySetpoint('hold'), mode: 'follow' as const };
    const from = Array.from(arm.exchange(stationarySetpoint('hold'), TICK_S).position_rad);
    const move = async (tick: number) => {
      for (let i = 0; i < follow.samples.length; i++) {
        const t_s = tick * TICK_S + (Math.floor(i / 6) - 1) * 0.001;
        follow.samples[i] = from[i % 6]! + 0.5 * t_s;
      }
      const feedback = arm.exchange(follow, TICK_S);
      await answered(arm, clock);
      return feedback;
    };
    // At rest a stall changes nothing, and its age does not count as that of the joints.
    clock.ms += 2000;
    expect(arm.exchange(stationarySetpoint('hold'), TICK_S).age_s).toBeLessThanOrEqual(0.15);
    await answered(arm, clock);
    for (let tick = 0; tick < 25; tick++) expect((await move(tick)).fault).toBeNull();
    clock.ms += 400;
    expect((await move(25)).fault).toMatchObject({ kind: 'stale', joint: null });
    for (let i = 0; i < 25; i++) await move(26 + i);
    const stood = (await move(51)).position_rad[0]!;
    expect(stood - from[0]!).toBeLessThan(0.5 * 26 * TICK_S + 0.02);
    expect(arm.recover()).toBe(false);
    await answered(arm, clock);
    expect(arm.recover()).toBe(true);
    const { fault, position_rad } = arm.exchange(stationarySetpoint('hold'), TICK_S);
    expect([fault, position_rad[0]]).toEqual([null, stood]);
    await arm.stop();
  });
});

const SIX = [0, 0, 0, 0, 0, 0];
const GOOD = {
  position_rad: SIX,
  velocity_rad_s: SIX,
  temperature_c: SIX,
  torque_n_m: SIX,
  fault: null,
  contact: null,
  standing: true,
};

/** A program that answers otherwise from its second line on: null: not at all, a text: as it is. */
async function badProgram(answer: object | string | null) {
  const sockets = new Set<Socket>();
  let seen = 0;
  /** Lines for which one answer is sent; greater than 1: the program falls behind. */
  const state: { answer: object | string | null; share: number } = { answer, share: 1 };
  const queue: number[] = [];
  /** What the program was asked to do. */
  const sent: string[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    // Without it an answer may wait 40 ms for an acknowledgement, which the clock here calls late.
    socket.setNoDelay(true);
    socket.on('data', (bytes) => {
      for (const text of bytes.toString().trim().split('\n')) {
        const { line: number, do: task } = JSON.parse(text) as { line: number; do: string };
        queue.push(number);
        sent.push(task);
        seen += 1;
        if (seen % state.share !== 0) continue;
        const line = state.share === 1 ? queue.pop() : queue.shift();
        const { answer: now } = state;
        if (seen > 1 && now === null) continue;
        const object = { line, ...GOOD, ...(seen > 1 && typeof now === 'object' ? now : {}) };
        socket.write(seen > 1 && typeof now === 'string' ? now : `${JSON.stringify(object)}\n`);
      }
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((done) => server.close(done));
  };
  return { ...armAt(`tcp://127.0.0.1:${port}`), state, sent, close };
}

/** Exchanges until the driver reports a fault. */
async function untilFault(arm: RemoteArm, clock: StandingClock): Promise<Feedback> {
  for (let i = 0; ; i++) {
    const feedback = arm.exchange(stationarySetpoint('hold'), TICK_S);
    if (feedback.fault || i > 200) return feedback;
    clock.ms += 1000 * TICK_S;
    await new Promise((done) => setTimeout(done, 1));
  }
}

describe('a program that does not keep to the lines', () => {
  it.each([
    ['no JSON', 'ready\n', /sends a line that is not JSON: correct that program/],
    ['a line without an end', '0'.repeat(20_000), /sends a line of more than 16384 characters/],
    ['five joints', { position_rad: SIX.slice(1) }, /position_rad that is not six numbers/],
    ['no number', { position_rad: [null, 0, 0, 0, 0, 0] }, /position_rad that is not six/],
    ['a fault without a kind', { fault: { message: 'bad' } }, /a fault without kind, joint/],
    ['angles in degrees', { position_rad: [0, 30, -100, 0, -75, 0] }, /position_rad that no joint/],
    ['no speed', { velocity_rad_s: [1e308, 0, 0, 0, 0, 0] }, /velocity_rad_s that no joint has/],
    ['a joint that is none', { contact: 6 }, /a contact that is neither a joint nor null/],
    [
      'a reaction of a kind',
      { reaction: { phase: 'off' } },
      /a reaction without phase and figures/,
    ],
    ['no standing', { standing: undefined }, /standing that is neither true nor false/],
    ['silence', null, /does not answer; see that it runs, then reset errors/],
    ['its own fault', { fault: { kind: 'lost', joint: 2, message: 'gone' } }, /^gone$/],
  ] as const)('%s: a fault, cleared by two resets once it is right', async (_, answer, says) => {
    const { arm, clock, state, close } = await badProgram(answer);
    await arm.start();
    const { fault, position_rad } = await untilFault(arm, clock);
    expect(fault?.message).toMatch(says);
    expect(Array.from(position_rad)).toEqual(SIX);
    expect(arm.recover()).toBe(false);
    state.answer = {};
    let isReady = false;
    for (let i = 0; i < 200 && !isReady; i++) {
      await new Promise((done) => setTimeout(done, 1));
      clock.ms += 1000 * TICK_S;
      isReady = arm.recover();
    }
    expect(isReady).toBe(true);
    expect(arm.exchange(stationarySetpoint('hold'), TICK_S).fault).toBeNull();
    await arm.stop();
    await close();
  });

  it('a contact is reported once with what is done about it, and cleared by a reset', async () => {
    const figures = { force_n: 3, peak_n: 40, retreated_rad: 0.1, yielded_rad: 0, relieved: 0 };
    const reaction = { phase: 'holding', ...figures };
    const { arm, clock, state, close } = await badProgram({ contact: 4, reaction });
    await arm.start();
    for (let i = 0; i < 3; i++) {
      arm.exchange(stationarySetpoint('hold'), TICK_S);
      await answered(arm, clock);
    }
    const hold = stationarySetpoint('hold');
    const touching = arm.exchange(hold, TICK_S);
    expect(touching).toMatchObject({ contact: { joint: 4 }, reaction });
    state.answer = { reaction: null };
    expect(arm.recover()).toBe(true);
    await answered(arm, clock);
    expect(arm.exchange(hold, TICK_S)).toMatchObject({ contact: null, reaction: null });
    await arm.stop();
    await close();
  });

  it('a joint that stays behind does not arrive, and is a fault', async () => {
    const { arm, clock, close } = await badProgram({});
    await arm.start();
    const follow = { ...stationarySetpoint('hold'), mode: 'follow' as const };
    const sendTo = async (angle_rad: number) => {
      follow.samples.fill(angle_rad);
      const feedback = arm.exchange(follow, TICK_S);
      await answered(arm, clock);
      return feedback;
    };
    for (let i = 1; i <= 15; i++) expect((await sendTo(0.02 * i)).fault).toBeNull();
    expect((await sendTo(0.3)).standing).toBe(false);
    for (let i = 0; i < 25; i++) await sendTo(0.3);
    expect((await sendTo(0.3)).fault).toMatchObject({ kind: 'following_error', joint: 0 });
    // It lags no more once the arm stands: the first reset ends the error.
    expect(arm.recover()).toBe(true);
    await answered(arm, clock);
    expect(arm.exchange(stationarySetpoint('hold'), TICK_S).fault).toBeNull();
    await answered(arm, clock);
    await arm.stop();
    await close();
  });

  it('is sent no more samples after its contact, and may go where it likes', async () => {
    const { arm, clock, state, sent, close } = await badProgram({});
    await arm.start();
    const plan = stationarySetpoint('hold', { detection: 'high' });
    const follow = { ...plan, mode: 'follow' as const };
    arm.exchange(follow, TICK_S);
    await answered(arm, clock);
    state.answer = { contact: 0, position_rad: [-0.5, 0, 0, 0, 0, 0], standing: false };
    for (let i = 0; i < 40; i++) {
      expect(arm.exchange(follow, TICK_S).fault).toBeNull();
      await answered(arm, clock);
    }
    expect(sent.at(-1)).toBe('hold');
    await arm.stop();
    await close();
  });

  it('a joint that leaves the pose that it holds is a fault', async () => {
    const { arm, clock, state, close } = await badProgram({});
    await arm.start();
    const hold = stationarySetpoint('hold');
    for (let i = 0; i < 5; i++) {
      arm.exchange(hold, TICK_S);
      await answered(arm, clock);
    }
    state.answer = { position_rad: [0, 0.5, 0, 0, 0, 0] };
    const { fault, position_rad } = await untilFault(arm, clock);
    expect(fault?.message).toMatch(/^J2 is 0.500 rad from where it was sent/);
    expect(position_rad[1]).toBe(0.5);
    await arm.stop();
    await close();
  });

  it('answers that come ever later are late, though each line is answered', async () => {
    const { arm, clock, state, close } = await badProgram({});
    await arm.start();
    state.share = 2;
    const { fault, age_s } = await untilFault(arm, clock);
    expect(fault).toMatchObject({ kind: 'stale' });
    expect(age_s).toBeGreaterThanOrEqual(0.2);
    state.share = 1;
    await arm.stop();
    await close();
  });

  it('a stop waits for a silent program for a second at most', async () => {
    const { arm, clock, state, close } = await badProgram({});
    await arm.start();
    state.answer = null;
    let isStopped = false;
    const stopped = arm.stop().then(() => {
      isStopped = true;
    });
    const start_ms = clock.ms;
    for (; !isStopped && clock.ms < 10_000; clock.ms += 50) {
      await new Promise((done) => setTimeout(done, 3));
    }
    await stopped;
    expect(clock.ms - start_ms).toBeLessThan(2000);
    await close();
  });
});
