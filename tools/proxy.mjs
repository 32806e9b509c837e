/**
 * `npm run check proxy`: deploy/proxy/nginx.conf in front of a twin, with TLS by a certificate of its own.
 * Only ports, the certificate's paths and the twin's address are replaced. Skips with the reason if nginx
 * or openssl is missing.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import WebSocket from 'ws';
import { freePort } from './package/action.mjs';
import { endWith } from './setup/ending.mjs';
import { launch, readyUrl } from './setup/start.mjs';

const HOST = 'twin.example.org';
const TOKEN = 'token-of-the-proxy-check';
/** Clients that are not the proxy: each address of 127.0.0.0/8 is this machine. */
const CLIENT = '127.0.0.2';
const OTHER_CLIENT = '127.0.0.3';
const ADMIN = { email: 'root@example.org', password: 'long enough for anyone' };
/** Failed log-ins of an account and an address in a minute (D5), and some more. */
const GUESSES = { allowed: 10, beyond: 2 };
/** Above the size at which nginx refuses bodies by default, 1 MiB. */
const BODY_BYTES = 3 * 2 ** 20;
const START_MS = 5000;

/** @type {string[]} */
const failures = [];

/** Prints one result and records a failure. @param {boolean} holds @param {string} text */
function expectThat(holds, text) {
  console.log(`${holds ? 'ok  ' : 'FAIL'} ${text}`);
  if (!holds) failures.push(text);
}

/** The configuration with the places of this run. */
function configuration(
  /** @type {string} */ folder,
  /** @type {{ port: number, twin: string }} */ { port, twin },
) {
  const text = readFileSync('deploy/proxy/nginx.conf', 'utf8');
  const places = /** @type {const} */ ([
    ['listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`],
    ['/etc/nginx/tls/', `${folder}/`],
    ['127.0.0.1:8080', new URL(twin).host],
    ['http {', 'http {\n  access_log off;'],
  ]);
  return places.reduce((/** @type {string} */ made, [from, to]) => {
    if (!made.includes(from)) throw new Error(`deploy/proxy/nginx.conf has no "${from}"`);
    return made.replaceAll(from, to);
  }, text);
}

/** A certificate of the public host, as an operator without an authority makes one. */
function makeCertificate(/** @type {string} */ folder) {
  const names = ['-subj', `/CN=${HOST}`, '-addext', `subjectAltName=DNS:${HOST}`];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const files = ['-keyout', join(folder, 'twin.key'), '-out', join(folder, 'twin.crt')];
  execFileSync('openssl', ['req', '-x509', '-days', '2', ...key, ...names, ...files], {
    stdio: 'ignore',
  });
  return readFileSync(join(folder, 'twin.crt'));
}

/** Starts nginx in the foreground, as a child, and waits until it listens. */
async function startProxy(/** @type {string} */ folder, /** @type {number} */ port) {
  const globals = `daemon off; pid ${folder}/nginx.pid; error_log stderr warn;`;
  const args = ['-c', join(folder, 'nginx.conf'), '-g', globals];
  const child = endWith(spawn('nginx', args, { stdio: ['ignore', 'ignore', 'pipe'] }));
  let errors = '';
  child.stderr.on('data', (text) => (errors += text));
  for (const until_ms = Date.now() + START_MS; Date.now() < until_ms; await wait(50)) {
    if (child.exitCode !== null) throw new Error(`nginx ended: ${errors}`);
    const socket = connect(port, '127.0.0.1');
    const isOpen = await new Promise((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    socket.destroy();
    if (isOpen) return child;
  }
  throw new Error(`nginx does not listen: ${errors}`);
}

/**
 * A caller through the proxy that trusts only the certificate, and comes from CLIENT or another.
 * @param {number} port @param {Buffer} ca
 */
function callerOf(port, ca) {
  const tls = { ca, servername: HOST };
  return {
    tls,
    /**
     * @param {string} path
     * @param {{
     *   method?: string, body?: string | Buffer, headers?: Record<string, string>, from?: string,
     * }} [given]
     * @returns {Promise<{ status: number, text: string }>}
     */
    call(path, { method = 'GET', body, headers = {}, from = CLIENT } = {}) {
      const content = { host: HOST, 'content-type': 'application/json', ...headers };
      const options = { host: '127.0.0.1', port, path, method, localAddress: from, ...tls };
      return new Promise((resolve, reject) => {
        const sent = request({ ...options, headers: content }, (reply) => {
          let text = '';
          reply.setEncoding('utf8').on('data', (more) => (text += more));
          reply.on('end', () => resolve({ status: Number(reply.statusCode), text }));
        });
        sent.on('error', reject);
        sent.end(body);
      });
    },
  };
}

/**
 * Opens the stream of events from a page of this origin; resolves to the type of its first event, or why not.
 * @param {{ port: number, tls: object, session: string, origin: string }} given
 * @returns {Promise<string>}
 */
function firstEvent({ port, tls, session, origin }) {
  const protocols = [`SessionToken_${session}`, 'object'];
  const headers = { host: HOST, origin };
  const socket = new WebSocket(`wss://127.0.0.1:${port}/api/v1/data/stream`, protocols, {
    ...tls,
    headers,
  });
  return new Promise((resolve) => {
    socket.once('message', (data) => {
      socket.close();
      resolve(String(JSON.parse(String(data)).type));
    });
    socket.once('error', (error) => resolve(error.message));
  });
}

/**
 * Wrong guesses by one client do not hold up another, and the audit log tells them apart.
 * @param {ReturnType<typeof callerOf>['call']} call
 * @param {() => string} log
 */
async function expectGuessesApart(call, log) {
  const statusOf = async (/** @type {string} */ password, /** @type {string} */ from) => {
    const body = JSON.stringify({ ...ADMIN, password });
    return (await call('/api/v1/auth/login', { method: 'POST', body, from })).status;
  };
  const guesses = [];
  for (let i = 0; i < GUESSES.allowed + GUESSES.beyond; i++) {
    guesses.push(await statusOf('a wrong guess', CLIENT));
  }
  const isHeld = guesses.every((status, i) => status === (i < GUESSES.allowed ? 401 : 429));
  expectThat(isHeld, `wrong guesses of a client: ${guesses.join(' ')}`);
  const own = await statusOf(ADMIN.password, CLIENT);
  expectThat(own === 429, `the right password from there: ${own}`);
  const other = await statusOf(ADMIN.password, OTHER_CLIENT);
  expectThat(other === 200, `the right password of another client: ${other}`);
  await wait(100);
  const lines = log()
    .split('\n')
    .filter((one) => one.includes('"log_in'));
  const origins = lines
    .map((one) => JSON.parse(one))
    .map((one) => `${one.address} by ${one.proxy}`);
  const expected = [CLIENT, OTHER_CLIENT].map((client) => `${client} by 127.0.0.1`);
  expectThat(
    [...new Set(origins)].join() === expected.join(),
    `clients and proxies in the audit log: ${[...new Set(origins)].join(', ')}`,
  );
}

/** @param {string} folder */
async function prove(folder) {
  const ca = makeCertificate(folder);
  const port = await freePort();
  const options = ['--token', TOKEN, '--driver', 'fast', '--data', join(folder, 'data')];
  const proxied = ['--allow-host', HOST, '--trust-proxy', '127.0.0.1'];
  const admin = ['--admin-email', ADMIN.email, '--admin-password', ADMIN.password];
  const flags = ['--port', '0', ...options, ...admin, ...proxied];
  const twin = launch(flags, ['ignore', 'pipe', 'pipe']);
  let log = '';
  twin.stderr?.on('data', (text) => (log += text));
  const url = await readyUrl(twin);
  writeFileSync(join(folder, 'nginx.conf'), configuration(folder, { port, twin: url }));
  const proxy = await startProxy(folder, port);
  try {
    const { call, tls } = callerOf(port, ca);
    const page = await call('/');
    expectThat(page.status === 200 && page.text.includes('<title>'), `the page: ${page.status}`);
    const forged = { 'x-forwarded-for': '203.0.113.9' };
    const body = JSON.stringify({ token: TOKEN });
    const logIn = await call('/api/v1/auth', { method: 'POST', body, headers: forged });
    expectThat(logIn.status === 200, `a log-in: ${logIn.status}`);
    const session = String(JSON.parse(logIn.text).token);
    await wait(100);
    const line = log.split('\n').findLast((one) => one.includes('"audit"')) ?? '{}';
    const { address, proxy: through } = JSON.parse(line);
    expectThat(
      address === CLIENT && through === '127.0.0.1',
      `the audit line names the client ${address} and the proxy ${through}, not what the client claims`,
    );
    await expectGuessesApart(call, () => log);
    const large = await call('/api/v1/toolpath/use', {
      method: 'POST',
      body: Buffer.alloc(BODY_BYTES, 32),
      headers: { authorization: `Bearer ${session}` },
    });
    expectThat(
      large.text.includes('error_code'),
      `a body of 3 MiB reaches the twin: ${large.status}`,
    );
    const secure = await firstEvent({ port, tls, session, origin: `https://${HOST}` });
    expectThat(secure === 'state_change' || secure === 'event', `the stream for https: ${secure}`);
    const plain = await firstEvent({ port, tls, session, origin: `http://${HOST}` });
    expectThat(/\b403\b/.test(plain), `the stream for a page without TLS: ${plain}`);
    for (const path of ['/metrics', '/livez', '/readyz', '/METRICS', '/metrics/']) {
      const { status } = await call(path);
      expectThat(status === 404, `${path} from outside: ${status}`);
    }
    const other = await call('/', { headers: { host: 'evil.example.org' } });
    expectThat(other.status === 421, `another host name: ${other.status}`);
  } finally {
    proxy.kill('SIGTERM');
    twin.kill('SIGTERM');
  }
}

async function main() {
  const absent = ['nginx', 'openssl'].filter((name) => spawnSync(name, ['version']).error);
  if (absent.length > 0) {
    console.log(`skipped: ${absent.join(', ')} not found (apt-get install nginx openssl)`);
    return 0;
  }
  const folder = mkdtempSync(join(tmpdir(), 'armtwin-proxy-'));
  try {
    await prove(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return failures.length === 0 ? 0 : 1;
}

process.exitCode = await main();
