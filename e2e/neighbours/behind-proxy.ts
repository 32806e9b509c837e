/**
 * `npm run check behind-proxy`: a twin behind nginx with the configuration of deploy/proxy, of which only
 * the addresses, the certificate and the name are other. Ten wrong guesses by one client do not hold
 * up another, audit lines name client and proxy, a stream passes, and health stays inside. ARMTWIN_NGINX
 * names the program; without one it is looked for on the PATH.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { killTwinProcesses, startTwinProcess, TOKEN } from '../robustness/twin-process.ts';
import { ADMIN_EMAIL, PASSWORD, sleep } from './scene.ts';

const NAME = 'twin.example.org';
/** Two clients: both are addresses of the machine itself. */
const GUESSER = '127.0.0.2';
const OTHER = '127.0.0.3';
const GUESSES = 12;

const nginx = process.env['ARMTWIN_NGINX'] ?? 'nginx';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((open) => server.once('listening', open));
  const { port } = server.address() as { port: number };
  await new Promise((closed) => server.close(closed));
  return port;
}

/** The configuration of the deployment, for ports and files of this check. */
function configuration(
  folder: string,
  { port, twin }: { readonly port: number; readonly twin: number },
) {
  const text = readFileSync('deploy/proxy/nginx.conf', 'utf8')
    .replace('listen 443 ssl', `listen 127.0.0.2:${port} ssl;\n    listen 127.0.0.3:${port} ssl`)
    .replaceAll('/etc/nginx/tls', folder)
    .replace('http://127.0.0.1:8080', `http://127.0.0.1:${twin}`);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
    .join(' ');
  const own = `daemon off; pid ${folder}/pid; error_log ${folder}/error.log;\n`;
  return own + text.replace('http {', `http { access_log off; ${paths}`);
}

function certificate(folder: string): void {
  const subject = ['-subj', `/CN=${NAME}`, '-days', '2', '-nodes', '-newkey', 'rsa:2048'];
  const files = ['-keyout', join(folder, 'twin.key'), '-out', join(folder, 'twin.crt')];
  execFileSync('openssl', ['req', '-x509', ...subject, ...files], { stdio: 'ignore' });
}

/** The status of a call by a client at an address. */
function call(
  port: number,
  client: string,
  line: string,
  body?: object,
): Promise<[number, string]> {
  const [method, path] = line.split(' ');
  const text = body && JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        ...{ host: client, port, method, path, servername: NAME, rejectUnauthorized: false },
        localAddress: client,
        headers: { Host: NAME, ...(text && { 'Content-Type': 'application/json' }) },
      },
      (response) => {
        let reply = '';
        response.on('data', (chunk) => (reply += String(chunk)));
        response.on('end', () => resolve([response.statusCode ?? 0, reply]));
      },
    );
    sent.on('error', reject);
    sent.end(text);
  });
}

const folder = mkdtempSync(join(tmpdir(), 'armtwin-proxy-'));
const problems: string[] = [];
const expectEqual = (what: string, found: unknown, wanted: unknown) => {
  const isEqual = JSON.stringify(found) === JSON.stringify(wanted);
  console.log(`${isEqual ? 'ok  ' : 'FAIL'} ${what}: ${JSON.stringify(found)}`);
  if (!isEqual) problems.push(what);
};

certificate(folder);
const flags = ['--allow-host', NAME, '--trust-proxy', '127.0.0.1', '--data', ':memory:'];
const password = ['--admin-email', ADMIN_EMAIL, '--admin-password', PASSWORD];
const twin = await startTwinProcess([...flags, ...password, '--log-level', 'info']);
const port = await freePort();
writeFileSync(join(folder, 'nginx.conf'), configuration(folder, { port, twin: twin.port }));
const proxy = spawn(nginx, ['-e', join(folder, 'error.log'), '-c', join(folder, 'nginx.conf')], {
  stdio: ['ignore', 'inherit', 'inherit'],
});
proxy.once('error', (error) => {
  console.error(
    `${nginx} does not start (${error.message}): install nginx, or name it with ARMTWIN_NGINX`,
  );
  process.exit(2);
});
try {
  for (let looks = 0; looks < 100; looks++) {
    const reply = await call(port, GUESSER, 'GET /api/versions').catch(() => null);
    if (reply) break;
    await sleep(100);
  }
  const logIn = async (client: string, given: string) =>
    (
      await call(port, client, 'POST /api/v1/auth/login', { email: ADMIN_EMAIL, password: given })
    )[0];
  const statuses: number[] = [];
  for (let i = 0; i < GUESSES; i++) statuses.push(await logIn(GUESSER, 'a wrong guess'));
  expectEqual('guesses of one client', statuses, [...Array(10).fill(401), 429, 429]);
  expectEqual('the right password from there', await logIn(GUESSER, PASSWORD), 429);
  expectEqual('the right password of another client', await logIn(OTHER, PASSWORD), 200);
  const audit = twin
    .stderr()
    .split('\n')
    .flatMap((line) => (line.includes('"audit"') ? [JSON.parse(line)] : []))
    .filter(({ audit: event }) => String(event).startsWith('log_in'));
  const origins = audit.map(({ address, proxy: by }) => `${address} by ${by}`);
  expectEqual(
    'clients and proxies in the audit log',
    [...new Set(origins)],
    [`${GUESSER} by 127.0.0.1`, `${OTHER} by 127.0.0.1`],
  );
  const [, session] = await call(port, OTHER, 'POST /api/v1/auth', { token: TOKEN });
  const { token } = JSON.parse(session);
  const socket = new WebSocket(
    `wss://${OTHER}:${port}/api/v1/data/stream`,
    [`SessionToken_${token}`, 'object'],
    {
      ...{ rejectUnauthorized: false, servername: NAME, localAddress: OTHER },
      headers: { Host: NAME },
    },
  );
  const opened = await new Promise((resolve) => {
    socket.once('open', () => resolve('open'));
    socket.once('error', (error) => resolve(error.message));
  });
  expectEqual('a stream', opened, 'open');
  socket.terminate();
  const outside = ['metrics', 'livez', 'readyz'].map((path) => call(port, OTHER, `GET /${path}`));
  expectEqual(
    'health from outside',
    (await Promise.all(outside)).map(([status]) => status),
    [...[404, 404, 404]],
  );
} finally {
  proxy.kill();
  killTwinProcesses();
  rmSync(folder, { recursive: true });
}
process.exit(problems.length > 0 ? 1 : 0);
