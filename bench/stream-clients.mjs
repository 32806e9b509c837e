/**
 * Stream clients in their own process: `node stream-clients.mjs URL SESSION COUNT`. With a ws: URL
 * they are clients of the live connection for Foxglove and subscribe to all channels.
 */
import { WebSocket } from 'ws';

const [url, session, count] = process.argv.slice(2);
const isFoxglove = url.startsWith('ws:');
let open = 0;
let messages = 0;

function connect() {
  if (isFoxglove) {
    const headers = { Authorization: `Bearer ${session}` };
    return new WebSocket(url, ['foxglove.websocket.v1'], { headers });
  }
  const address = `${url.replace('http', 'ws')}/api/v1/data/stream`;
  return new WebSocket(address, [`SessionToken_${session}`, 'object']);
}

for (let i = 0; i < Number(count); i++) {
  const socket = connect();
  socket.on('open', () => {
    if (++open === Number(count)) console.log('open');
  });
  socket.on('message', (data, isBinary) => {
    messages += 1;
    if (!isFoxglove || isBinary) return;
    const { op, channels } = JSON.parse(String(data));
    if (op !== 'advertise') return;
    const subscriptions = channels.map(({ id }) => ({ id, channelId: id }));
    socket.send(JSON.stringify({ op: 'subscribe', subscriptions }));
  });
}
process.on('SIGTERM', () => {
  console.log(`messages ${messages}`);
  process.exit(0);
});
