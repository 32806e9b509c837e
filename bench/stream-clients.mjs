/** Stream clients in their own process: `node stream-clients.mjs URL SESSION COUNT`. */
import { WebSocket } from 'ws';

const [url, session, count] = process.argv.slice(2);
let open = 0;
let messages = 0;
for (let i = 0; i < Number(count); i++) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/v1/data/stream`, [
    `SessionToken_${session}`,
    'object',
  ]);
  socket.on('open', () => {
    if (++open === Number(count)) console.log('open');
  });
  socket.on('message', () => {
    messages += 1;
  });
}
process.on('SIGTERM', () => {
  console.log(`messages ${messages}`);
  process.exit(0);
});
