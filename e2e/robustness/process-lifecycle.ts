/** Life cycle of the process: jumps of the wall clock, graceful shutdown, crash reports. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { outcomeOf, type RobustnessCheck } from './check.ts';
import { dial } from './raw-connection.ts';
import { nonReadingClient } from './streams.ts';
import { runForever, startTwinProcess } from './twin-process.ts';

const FLAGS = ['--driver', 'fast', '--log-level', 'silent'];
const JUMPS_S = [3600, -3600, 49 * 3600, -49 * 3600];

async function runWithDateJump(jump_s: number): Promise<string | null> {
  process.env['JUMP_S'] = String(jump_s);
  const program = await startTwinProcess(FLAGS, './preloads/jump.mjs');
  delete process.env['JUMP_S'];
  try {
    const { arm } = program;
    await runForever(program);
    const tick = await program.metric('armtwin_ticks_total');
    const start_ms = performance.now();
    for (let times = 0; times < 4; times++) {
      program.signal('SIGUSR2');
      await wait(250);
    }
    const drift_ms =
      ((await program.metric('armtwin_ticks_total')) - tick) * 4 - (performance.now() - start_ms);
    const { snapshot } = await arm.getSnapshot();
    await arm.renewLock();
    const moved = program.stderr().match(/date/g)?.length === 4;
    if (!moved) return `${jump_s} s: the date did not jump`;
    if (snapshot.control.state !== 'running') return `${jump_s} s: ${snapshot.control.state}`;
    return Math.abs(drift_ms) < 500 ? null : `${jump_s} s: drift ${drift_ms.toFixed(0)} ms`;
  } catch (error) {
    return `${jump_s} s: ${String(error)}`;
  } finally {
    await program.stop();
  }
}

const jumps: RobustnessCheck = {
  id: 'date-jumps',
  fault: 'the wall clock jumps by 1 h and 49 h, forward and back',
  goal: 'session, lock and run are unaffected, ticks keep their pace',
  in: null,
  async run() {
    const problems = [];
    for (const jump_s of JUMPS_S) problems.push(await runWithDateJump(jump_s));
    const broken = problems.filter((problem) => problem !== null);
    return outcomeOf(`${JUMPS_S.length * 4} jumps, ${broken.length} with an effect`, {
      [broken.join('; ')]: broken.length === 0,
    });
  },
};

/** Subscribes to the stream and collects the states that it announces. */
async function watchShutdown(program: Awaited<ReturnType<typeof startTwinProcess>>) {
  const states: string[] = [];
  const stream = program.arm.events({
    onEvent(event) {
      if (event.type === 'state_change') states.push(String(event.changes.control?.state ?? ''));
    },
  });
  await stream.opened;
  return { states, close: () => stream.close() };
}

const shutdown: RobustnessCheck = {
  id: 'going-down',
  fault: 'SIGTERM during a run, with stream clients that do not read and a slow body',
  goal: 'shutting_down published before sockets close; exit code 0 within 5 s',
  in: null,
  async run() {
    const program = await startTwinProcess(FLAGS);
    await runForever(program);
    const session = await program.arm.session();
    for (let count = 0; count < 20; count++) nonReadingClient(program.port, session);
    const head = 'POST /api/v1/auth HTTP/1.1\r\nHost: a\r\nContent-Type: application/json';
    dial(program.port, `${head}\r\nContent-Length: 100\r\n\r\n{`);
    const { states, close } = await watchShutdown(program);
    await wait(300);
    const start_ms = performance.now();
    program.signal('SIGTERM');
    const code = await program.waitForExit(8000);
    const took_s = (performance.now() - start_ms) / 1000;
    close();
    return outcomeOf(`exit code ${code} after ${took_s.toFixed(1)} s`, {
      'exit code 0': code === 0,
      'within 5 s': took_s < 5,
      'shutting_down published': states.includes('shutting_down'),
    });
  },
};

/** Ages of the program at its end: Rapier's code was once optimised then (s). */
const AGES_S = [0, 0.5, 3, 6];

/** Starts a program on Rapier, ends it at that age; the time from SIGTERM to its exit with 0 (s). */
async function endAt(age_s: number): Promise<number> {
  const program = await startTwinProcess(['--driver', 'rapier', '--log-level', 'silent']);
  await wait(1000 * age_s);
  const start_ms = performance.now();
  program.signal('SIGTERM');
  const code = await program.waitForExit(15_000);
  if (code !== 0) throw new Error(`exit code ${code} at an age of ${age_s} s`);
  return (performance.now() - start_ms) / 1000;
}

const quickEnd: RobustnessCheck = {
  id: 'quick-end',
  fault: 'SIGTERM right after the start, and seconds later, when nothing is to be saved',
  goal: 'exit code 0 within 0.3 s at any age',
  in: null,
  async run() {
    const ends_s: number[] = [];
    for (const age_s of AGES_S) ends_s.push(await endAt(age_s));
    const slowest_s = Math.max(...ends_s);
    return outcomeOf(`at ages of ${AGES_S.join(', ')} s: ${slowest_s.toFixed(2)} s at most`, {
      'within 0.3 s': slowest_s <= 0.3,
    });
  },
};

async function crash(kind: 'error' | 'rejection'): Promise<string | null> {
  process.env['BUG'] = kind;
  const program = await startTwinProcess(FLAGS, './preloads/bug.mjs');
  delete process.env['BUG'];
  await program.arm.takeLock();
  program.signal('SIGUSR2');
  const code = await program.waitForExit(3000);
  const line = program
    .stderr()
    .split('\n')
    .find((one) => one.startsWith('{"crash"'));
  if (code !== 1) return `${kind}: exit code ${code}`;
  if (line === undefined) return `${kind}: no report`;
  const { crash: report } = JSON.parse(line);
  const named = report.last_command?.kind === 'lock' && report.message === 'a bug of the checks';
  return named ? null : `${kind}: ${line.slice(0, 100)}`;
}

const crashes: RobustnessCheck = {
  id: 'crash-report',
  fault: 'an uncaught error and an unhandled rejection',
  goal: 'exit code 1, one line on stderr that names the last command',
  in: 'npm test',
  async run() {
    const problems = [await crash('error'), await crash('rejection')];
    const broken = problems.filter((problem) => problem !== null);
    return outcomeOf(`2 crashes, ${2 - broken.length} reported`, {
      [broken.join('; ')]: broken.length === 0,
    });
  },
};

/** Calls that write more than a pipe and the buffers of its reader hold. */
const LOGGED_CALLS = 1000;

const unreadLog: RobustnessCheck = {
  id: 'unread-log',
  fault: 'the log is not read any more, as behind a terminal that was stopped with Ctrl-S',
  goal: 'all calls are answered, the arm moves on in real time, SIGTERM ends it with 0 within 5 s',
  in: 'npm test -- --all',
  async run() {
    const program = await startTwinProcess(['--driver', 'fast', '--log-level', 'debug']);
    await runForever(program);
    program.child.stderr?.pause();
    let answered = 0;
    for (let i = 0; i < LOGGED_CALLS; i++) {
      const signal = AbortSignal.timeout(5000);
      const reply = await fetch(`${program.url}/livez`, { signal }).catch(() => null);
      await reply?.text();
      if (reply?.ok !== true) break;
      answered += 1;
    }
    const start_ms = performance.now();
    const tick = await program.metric('armtwin_ticks_total').catch(() => 0);
    await wait(500);
    const ticks = (await program.metric('armtwin_ticks_total').catch(() => 0)) - tick;
    const pace = (ticks * 4) / (performance.now() - start_ms);
    program.signal('SIGTERM');
    const code = await program.waitForExit(5000);
    const measured = `${answered} of ${LOGGED_CALLS} calls answered, exit code ${code}`;
    return outcomeOf(`${measured}, ${pace.toFixed(2)} x real time`, {
      'all calls answered': answered === LOGGED_CALLS,
      'real time': pace > 0.9 && pace < 1.2,
      'exit code 0': code === 0,
    });
  },
};

const debuggerSignal: RobustnessCheck = {
  id: 'debugger-signal',
  fault: 'SIGUSR1, with which some rotate logs and Node opens its debugger to the whole machine',
  goal: 'no debugger listens, the program goes on',
  in: 'npm test',
  async run() {
    const program = await startTwinProcess(FLAGS);
    program.signal('SIGUSR1');
    await wait(300);
    const tick = await program.metric('armtwin_ticks_total').catch(() => 0);
    const code = await program.stop();
    return outcomeOf(`tick ${tick}, exit code ${code}`, {
      'no debugger': !program.stderr().includes('Debugger listening'),
      'goes on': tick > 0,
      'exit code 0': code === 0,
    });
  },
};

const KILLS = [
  { enabled: true, sensitivity: 'low' },
  { enabled: true, sensitivity: 'high' },
  { enabled: false, sensitivity: 'medium' },
] as const;
const RANGE = { start_time: '22:15:00', end_time: '04:30:00' };

const keptSettings: RobustnessCheck = {
  id: 'kept-settings',
  fault: 'kill −9 right behind the answer to a change of collision detection or the daily schedule',
  goal: 'the robot has what was answered after the next start',
  in: 'npm test -- --all',
  async run() {
    const folder = await mkdtemp(join(tmpdir(), 'armtwin-settings-'));
    const flags = [...FLAGS, '--data', folder];
    const lost: string[] = [];
    let expected: object[] = [];
    try {
      for (const set of [...KILLS, null]) {
        const program = await startTwinProcess(flags);
        const { snapshot } = await program.arm.getSnapshot();
        const found = [snapshot.collision_detection, snapshot.scheduler];
        const isLost = expected.length > 0 && JSON.stringify(found) !== JSON.stringify(expected);
        if (isLost) lost.push(`${JSON.stringify(found)}, not ${JSON.stringify(expected)}`);
        if (set) {
          await program.arm.takeLock();
          await program.arm.setScheduler({ enabled: true, ...RANGE });
          await program.arm.setCollisionDetection(set);
          const { start_time, end_time: stop_time } = RANGE;
          expected = [set, { enabled: true, start_time, stop_time }];
        }
        program.signal('SIGKILL');
        await program.waitForExit(5000);
      }
    } finally {
      await rm(folder, { recursive: true });
    }
    return outcomeOf(`${KILLS.length} kills, ${lost.length} lost`, {
      [lost.join('; ')]: lost.length === 0,
    });
  },
};

export const lifecycleChecks: readonly RobustnessCheck[] = [
  keptSettings,
  jumps,
  shutdown,
  quickEnd,
  crashes,
  unreadLog,
  debuggerSignal,
];
