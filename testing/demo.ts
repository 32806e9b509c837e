/**
 * Demo client: `node dist/testing/demo.js URL TOKEN`. It logs in, subscribes to the stream, takes
 * the lock, saves, builds and runs a toolpath, pauses and resumes, moves by go_to, and cleans up.
 * It prints each step and uses only the public API.
 */
import { readFile } from 'node:fs/promises';
import { WebSocket } from 'ws';
import { type ArmClient, connect, type StreamSocketClass } from '../contract/client.ts';
import type { Joints, RobotEvent, Toolpath } from '../contract/types.generated.ts';

const TOOLPATH = new URL('../../fixtures/toolpaths/pick-and-place.json', import.meta.url);
const NAME = 'Pick and place';
const PAUSE_AFTER_MS = 1500;
const PAUSE_MS = 1000;
/** Timeout of a motion (ms). */
const TIMEOUT_MS = 120_000;

let step = 0;

function printStep(text: string): void {
  process.stdout.write(`${String(++step).padStart(2)}  ${text}\n`);
}

function printEvent(text: string): void {
  process.stdout.write(`      · ${text}\n`);
}

function sleep(duration_ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, duration_ms));
}

function degrees(joints: readonly number[]): string {
  return joints.map((angle) => `${((angle * 180) / Math.PI).toFixed(1)}°`).join(' ');
}

/** Tracks the robot state from the stream and waits for states. */
class StateWatcher {
  private state = 'ready';
  private waiting: { readonly state: string; readonly resolve: () => void }[] = [];

  readonly onEvent = (event: RobotEvent): void => {
    if (event.type === 'lock_status') printEvent(`lock: ${event.lock.owner}, ${event.lock.status}`);
    if (event.type !== 'state_change') return;
    const { control, 'global.outputs': outputs } = event.changes;
    if (outputs) printEvent(`outputs: ${JSON.stringify(outputs)}`);
    if (control?.loop_count !== undefined) printEvent(`loops done: ${control.loop_count}`);
    if (control?.state === undefined) return;
    printEvent(`state: ${control.state}`);
    this.state = control.state;
    for (const entry of this.waiting.splice(0)) {
      if (entry.state === control.state) entry.resolve();
      else this.waiting.push(entry);
    }
  };

  /** Resolves when the robot is in a state; rejects after TIMEOUT_MS. */
  until(state: string): Promise<void> {
    if (this.state === state) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`the robot is not ${state} after ${TIMEOUT_MS / 1000} s`)),
        TIMEOUT_MS,
      );
      this.waiting.push({
        state,
        resolve: () => {
          clearTimeout(timer);
          resolve();
        },
      });
    });
  }
}

async function runWithPause(arm: ArmClient, watcher: StateWatcher): Promise<void> {
  await arm.run({ mode: 'automatic', loop: 2 });
  printStep('Run it twice, in automatic mode.');
  await watcher.until('running');
  await sleep(PAUSE_AFTER_MS);
  await arm.pause();
  printStep('Pause in the middle of a move: the arm comes to rest on its path.');
  await watcher.until('paused');
  await sleep(PAUSE_MS);
  await arm.resume();
  printStep('Resume.');
  await watcher.until('running');
  await watcher.until('ready');
}

async function moveToJoints(arm: ArmClient, watcher: StateWatcher): Promise<void> {
  const { snapshot } = await arm.getSnapshot();
  const joints: Joints = [...snapshot['servos.telemetry.position']];
  printStep(`The arm is at ${degrees(joints)}.`);
  joints[0] += joints[0] > 0 ? -0.5 : 0.5;
  await arm.goTo({ mode: 'automatic', joints, max_speed: 0.4 });
  printStep('go_to: joint 1 by half a radian, at 0.4 m/s.');
  await watcher.until('running');
  await watcher.until('ready');
  const { fk } = await arm.forwardKinematics({ joints });
  if (fk.result === 'success') {
    const { x, y, z } = fk.position;
    printStep(`The flange is at ${x.toFixed(3)}, ${y.toFixed(3)}, ${z.toFixed(3)} m.`);
  }
}

async function runDemo(baseUrl: string, token: string): Promise<void> {
  const arm = connect({ baseUrl, token, WebSocket: WebSocket as StreamSocketClass });
  const { robot } = await arm.getVersions();
  const { name } = await arm.getName();
  printStep(`This is “${name}”, software ${robot}.`);
  const watcher = new StateWatcher();
  const stream = arm.events({ onEvent: watcher.onEvent });
  await stream.opened;
  printStep('Logged in with the API token; the stream is open.');
  const lock = await arm.keepLock();
  printStep('The lock is acquired and renewed automatically.');
  const toolpath = JSON.parse(await readFile(TOOLPATH, 'utf8')) as Toolpath;
  const saved = await arm.createToolpath({ name: NAME, toolpath });
  const toolpath_id = saved.toolpath.id;
  printStep(
    `Saved “${NAME}” as toolpath ${toolpath_id}, hash ${saved.toolpath.hash.slice(0, 12)}….`,
  );
  const built = await arm.buildToolpath({ toolpath_id });
  const { duration, error } = built.toolpath.trajectory;
  printStep(
    error ? `The build failed: ${error}` : `Built: one loop takes ${duration?.toFixed(2)} s.`,
  );
  const { event } = await arm.useToolpath({ toolpath_id });
  printStep(`${event.name}: ${event.details}.`);
  await runWithPause(arm, watcher);
  await moveToJoints(arm, watcher);
  await lock.release();
  await arm.deleteToolpath({ toolpath_id });
  printStep('The lock is released and the toolpath deleted.');
  stream.close();
  await arm.endSession();
}

const [baseUrl, token] = process.argv.slice(2);
if (!baseUrl || !token) {
  process.stderr.write('usage: node dist/testing/demo.js URL TOKEN\n');
  process.exitCode = 2;
} else await runDemo(baseUrl, token);
