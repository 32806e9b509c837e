/**
 * Commands on a twin with subscribers, which exercise each statement of the invariant monitor. Test
 * code.
 */
import { connect } from '../contract/client.ts';
import { type RunningTwin, startTwin } from './app/app.ts';
import type { RobotAssembly } from './app/robot-assembly.ts';
import { TWIN_DEFAULTS } from './cli/config.ts';
import { COMMANDS, type CommandName, playSequence } from './command-sequences.cases.ts';
import { ADA, AWAY, BEN } from './robot/robot-harness.cases.ts';
import type { Subscriber } from './service/stream/subscriber.ts';
import { smallToolpath } from './toolpaths/small-toolpath.cases.ts';

const token = 'token-of-the-invariant-mutations-0123456789';
type Assembled = RunningTwin & Pick<RobotAssembly, 'hub' | 'invariants'>;
type Scene = (twin: RunningTwin) => Promise<void>;

const send = (twin: RunningTwin, name: CommandName) => twin.loop.apply(COMMANDS[name](twin));
const advance = ({ clock }: RunningTwin, duration_s: number) =>
  clock.advance(Math.round(250 * duration_s));

/** Sends commands and waits in turn: names, and times in s. */
const script =
  (...entries: (CommandName | number)[]): Scene =>
  async (twin) => {
    for (const entry of entries) {
      if (typeof entry === 'number') await advance(twin, entry);
      else send(twin, entry);
    }
  };

const scenes: readonly Scene[] = [
  script('go_to', 0.24, 'pause', 'cancel', 1, 'cancel', 1),
  script('load', 'run', 4, 'run_teach', 2, 'pause', 'release_lock', 2, 'cancel', 1),
  async (twin) => {
    const stale = COMMANDS.go_to(twin);
    twin.loop.apply({ kind: 'stand_at', joints: AWAY });
    twin.loop.applyWorldAction({ kind: 'place', joints: AWAY });
    twin.loop.apply(stale);
    await advance(twin, 2);
  },
  script('go_to_teach', 0.3, 'release_lock', 2),
  async (twin) => {
    await script('go_to', 0.24, 'pause')(twin);
    twin.loop.applyWorldAction({ kind: 'joint_fault', joint: 2, fault: 'overload' });
    await script(0.02, 'reset_errors', 1)(twin);
  },
  script('estop', 2, 'estop_release', 1),
  async (twin) => {
    await script('backdriving', 0.1)(twin);
    twin.loop.apply({ kind: 'waypoint_button' });
    await script(0.1, 'button_release')(twin);
    const client = connect({ baseUrl: twin.url, token });
    await client.createToolpath({ name: 'private', toolpath: smallToolpath() });
  },
  script(310),
];

/** Plays the scenes on a new twin; returns the violations by statement that its monitor counted. */
export async function playScenes(): Promise<Readonly<Record<string, number>>> {
  const twin = (await startTwin({ ...TWIN_DEFAULTS, driver: 'fast', token })) as Assembled;
  for (const caller of [ADA, BEN]) {
    const subscriber = { caller, sendState() {}, sendEvent() {}, ping() {}, close() {} };
    twin.hub.add(subscriber as Partial<Subscriber> as Subscriber);
  }
  for (const scene of scenes) {
    await playSequence(twin, ['lock'], { phase: 'at rest', mode: 'automatic' });
    await scene(twin);
  }
  await twin.close();
  return twin.invariants.counts;
}
