/** The hub: its subscribers, the audiences of events, pings and closing. */

import { expect, it } from 'vitest';
import { limits } from '../../../contract/limits.ts';
import type { EventDelivery } from '../../robot/invariant-statements.ts';
import { SimulatedWall } from '../http/simulated-network.cases.ts';
import { EVERYONE, type StreamMessage } from './audience.ts';
import { EventList } from './event-list.ts';
import { Hub, type HubOptions } from './hub.ts';
import { lockAsSeenBy } from './lock-view.ts';
import { undrained } from './undrained-socket.cases.ts';

const ADA = { user_id: 1, token_id: 11, role: 'user' } as const;
const BOB = { user_id: 2, token_id: 22, role: 'admin' } as const;
type Who = typeof ADA | typeof BOB;

/** Records the types that are dispatched, as a hub that injects faults does. */
class RecordingHub extends Hub {
  readonly types: StreamMessage['type'][] = [];

  protected override dispatch(type: StreamMessage['type'], send: () => void): void {
    this.types.push(type);
    send();
  }
}

function hubOf(options: Partial<HubOptions> = {}) {
  const changes: boolean[] = [];
  const hub = new RecordingHub({
    onSubscribersChange: (hasSubscribers) => changes.push(hasSubscribers),
    lockHolder: () => null,
    ...options,
  });
  const add = (caller: Who) => {
    const session = { ...caller, created_s: 0, expires_s: 1800 };
    const one = { ...undrained({ session, caller }), session };
    hub.add(one.subscriber);
    return one;
  };
  return { hub, changes, add };
}

const messagesOf = ({ socket }: { socket: { sent: string[] } }) =>
  socket.sent.map((text) => JSON.parse(text));

it('says whether it has subscribers whenever one comes or goes', () => {
  const { hub, changes, add } = hubOf();
  const [first, second] = [add(ADA), add(BOB)];
  expect(hub.size).toBe(2);
  hub.remove(first.subscriber);
  expect(hub.size).toBe(1);
  hub.remove(second.subscriber);
  expect([hub.size, changes]).toEqual([0, [true, true, true, false]]);
  hub.publish({ type: 'update_in_progress', message: 'Installing' }, EVERYONE);
  expect(first.socket.sent).toEqual([]);
});

it('reports the bytes that wait for the slowest subscriber', () => {
  const { hub, add } = hubOf();
  expect(hub.buffered_bytes).toBe(0);
  for (const waiting_bytes of [20, 500, 3]) add(ADA).socket.bufferedAmount = waiting_bytes;
  expect(hub.buffered_bytes).toBe(500);
});

it.each([
  ['none', null, { owner: 'none', status: 'unlocked' }],
  ['the token itself', ADA, { owner: 'you', status: 'locked' }],
  ['another token of the user', { ...ADA, token_id: 12 }, { owner: 'user', status: 'locked' }],
  ['an admin', BOB, { owner: 'admin', status: 'locked' }],
])('shows the lock that %s holds', (_, holder, lock) => {
  expect(lockAsSeenBy(ADA, holder)).toEqual(lock);
});

it('publishes events of the control loop, each under its type', () => {
  let holder: Who | null = ADA;
  const deliveries: EventDelivery[] = [];
  const onDelivery = (delivery: EventDelivery) => deliveries.push(delivery);
  const { hub, add } = hubOf({ lockHolder: () => holder, onDelivery });
  const [ada, bob] = [add(ADA), add(BOB)];
  const waypoint = [0, 1, 2, 3, 4, 5] as const;
  const changes = { control: { loop_count: 7 } };
  hub.publishRobotEvents([
    { kind: 'lock_status', holder: ADA },
    { kind: 'backdriving', waypoint: [...waypoint] },
    { kind: 'completed', refusal: null },
    { kind: 'log', level: 'info', text: 'not for the stream' },
    { kind: 'state_change', changes },
  ]);
  const locked = (owner: string) => ({ type: 'lock_status', lock: { owner, status: 'locked' } });
  const changed = { type: 'state_change', changes };
  expect(messagesOf(ada)).toEqual([locked('you'), { type: 'backdriving', waypoint }, changed]);
  expect(messagesOf(bob)).toEqual([locked('user'), changed]);
  expect(hub.types).toEqual(['lock_status', 'backdriving', 'state_change']);
  expect(deliveries.map(({ audience }) => audience)).toEqual([
    { kind: 'token', token_id: ADA.token_id },
    { kind: 'token', token_id: ADA.token_id },
  ]);
  holder = null;
  hub.publishRobotEvents([{ kind: 'backdriving', waypoint: [...waypoint] }]);
  expect([ada.socket.sent.length, hub.types.length]).toEqual([3, 3]);
});

it('reports an event when it is published, and each receiver of a private one', () => {
  const deliveries: EventDelivery[] = [];
  const { hub, add } = hubOf({ onDelivery: (delivery) => deliveries.push(delivery) });
  const [ada, bob] = [add(ADA), add(BOB)];
  const type = 'backdriving' as const;
  const audience = { kind: 'token', token_id: BOB.token_id } as const;
  hub.publish({ type, waypoint: [0, 0, 0, 0, 0, 0] }, audience);
  expect([ada.socket.sent.length, bob.socket.sent.length]).toEqual([0, 1]);
  expect(deliveries).toEqual([
    { type, audience, receiver: null },
    { type, audience, receiver: BOB },
  ]);
  hub.publish({ type: 'update_in_progress', message: 'Installing' }, EVERYONE);
  expect(deliveries.slice(2)).toEqual([
    { type: 'update_in_progress', audience: EVERYONE, receiver: null },
  ]);
});

it('sends a private event to its audience where nothing follows deliveries', () => {
  const { hub, add } = hubOf();
  const [ada, bob] = [add(ADA), add(BOB)];
  const toolpath = { id: 3, name: 'one', hash: 'f'.repeat(64) };
  const created = { type: 'toolpath_created', toolpath } as const;
  hub.publish(created, { kind: 'user', user_id: BOB.user_id });
  expect([messagesOf(ada), messagesOf(bob)]).toEqual([[], [created]]);
});

it('fills a list in this process with the events of its caller, in order', () => {
  const { hub, add } = hubOf();
  const ada = add(ADA);
  const list = new EventList(ADA);
  hub.add(list);
  expect([list.events, hub.owners]).toEqual([[], [ADA.user_id, ADA.user_id]]);
  const changes = { control: { loop_count: 7 } };
  hub.publishRobotEvents([
    { kind: 'lock_status', holder: ADA },
    { kind: 'state_change', changes },
  ]);
  hub.publish({ type: 'update_in_progress', message: 'Installing' }, EVERYONE);
  expect(list.events).toEqual([
    { type: 'lock_status', lock: { owner: 'you', status: 'locked' } },
    { type: 'state_change', changes },
    { type: 'update_in_progress', message: 'Installing' },
  ]);
  expect(messagesOf(ada)).toEqual(list.events);
});

it('closes the streams of one session, and all with a reason', () => {
  const { hub, add } = hubOf();
  const [ada, other, bob] = [add(ADA), add(ADA), add(BOB)];
  hub.closeSession(ada.session);
  const ended = [limits.stream_session_ended_code, 'session ended'];
  expect([ada, other, bob].map(({ socket }) => socket.closes)).toEqual([[ended], [], []]);
  hub.closeAll('the server stops');
  const stopped = [1001, 'the server stops'];
  expect([ada, other, bob].map(({ socket }) => socket.closes)).toEqual([
    [ended, stopped],
    [stopped],
    [stopped],
  ]);
});

it('pings every subscriber at once and then periodically, until it is cancelled', () => {
  const { hub, add } = hubOf();
  const [ada, bob] = [add(ADA), add(BOB)];
  const wall = new SimulatedWall();
  const cancel = hub.startPings(wall);
  const pings = () => [ada, bob].map(({ socket }) => socket.pings);
  for (const { socket } of [ada, bob]) socket.emit('pong');
  wall.advance(limits.stream_ping_s * 1000 - 1);
  expect(pings()).toEqual([1, 1]);
  wall.advance(1);
  expect(pings()).toEqual([2, 2]);
  cancel();
  wall.advance(10 * limits.stream_ping_s * 1000);
  expect(pings()).toEqual([2, 2]);
});
