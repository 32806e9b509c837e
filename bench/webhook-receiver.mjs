/** A webhook receiver in its own process: prints its port, then every 1000th call. */
import { createServer } from 'node:http';

let calls = 0;
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    response.writeHead(204).end();
    if (++calls % 1000 === 0) console.log(calls);
  });
});
server.listen(0, '127.0.0.1', () => console.log(`port ${server.address().port}`));
process.on('SIGTERM', () => process.exit(0));
