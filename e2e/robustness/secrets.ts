/**
 * Secret leaks: every secret that a twin has handled is searched in its log, on its disk and in its
 * replies.
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../../contract/client.ts';
import { outcomeOf, type RobustnessCheck } from './check.ts';
import { dial } from './raw-connection.ts';
import { startTwinProcess, TOKEN, type TwinProcess } from './twin-process.ts';

const PASSWORD = 'a-password-of-the-hard-checks';
const WRONG = 'a-wrong-password-of-the-hard-checks';

interface Seen {
  readonly secrets: Record<string, string>;
  readonly replies: string[];
}

/** Uses many secrets, and collects the replies that must not contain them. */
async function useSecrets(program: TwinProcess): Promise<Seen> {
  const { url, arm } = program;
  const admin = await arm.session();
  const email = 'ada@example.org';
  const { user } = await arm.createUser({ email, password: PASSWORD });
  const ada = connect({ baseUrl: url, logIn: { email, password: PASSWORD } });
  const session = await ada.session();
  const made = await ada.createToken({ user_id: user.id }, { name: 'a token' });
  const headers = { 'Content-Type': 'application/json' };
  const post = (path: string, body: string) => fetch(url + path, { method: 'POST', headers, body });
  await post('/api/v1/auth/login', JSON.stringify({ email, password: WRONG }));
  await post('/api/v1/auth', `{"token":"${made.token}",}`);
  await post(`/api/v1/auth?token=${made.token}`, `{"token":"${made.token}","more":1}`);
  await dial(program.port, `GET /${session} HTTP/1.1\r\nAuthorization: ${session}\r\n\r\n`).end(
    500,
  );
  const get = async (path: string) => {
    const reply = await fetch(url + path, { headers: { Authorization: `Bearer ${admin}` } });
    return `${JSON.stringify([...reply.headers])}${await reply.text()}`;
  };
  const paths = ['data/snapshot', 'users', `users/${user.id}/tokens`, 'toolpaths', 'controls/lock'];
  const all = [...paths.map((path) => `/api/v1/${path}`), '/metrics', '/readyz', '/openapi.json'];
  const journal = await fetch(`${url}/sim/v1/journal/search`, {
    method: 'POST',
    headers: { ...headers, Authorization: `Bearer ${admin}` },
    body: '{}',
  });
  const replies = [...(await Promise.all(all.map(get))), await journal.text()];
  const secrets = {
    'API token of the command line': TOKEN,
    'session of the admin': admin,
    password: PASSWORD,
    'wrong password': WRONG,
    'session of a log-in': session,
    'API token': made.token,
  };
  return { secrets, replies };
}

async function onDisk(folder: string): Promise<string> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const texts = files
    .filter((file) => file.isFile())
    .map((file) => readFile(join(file.parentPath, file.name), 'latin1'));
  return (await Promise.all(texts)).join('\n');
}

export const secretChecks: readonly RobustnessCheck[] = [
  {
    id: 'secrets',
    fault: 'tokens and passwords in the log, on disk or in replies',
    goal: 'none found, at the most verbose log level',
    in: 'npm test',
    async run() {
      const folder = await mkdtemp(join(tmpdir(), 'armtwin-secrets-'));
      const flags = ['--driver', 'fast', '--log-level', 'trace', '--data', folder];
      const program = await startTwinProcess(flags);
      const seen = await useSecrets(program);
      await program.stop();
      const places = {
        log: program.stderr(),
        disk: await onDisk(folder),
        replies: seen.replies.join('\n'),
      };
      await rm(folder, { recursive: true });
      const found = Object.entries(places).flatMap(([place, text]) =>
        Object.entries(seen.secrets)
          .filter(([, secret]) => text.includes(secret))
          .map(([name]) => `${name} in ${place}`),
      );
      const sizes = Object.entries(places).map(([place, text]) => `${place} ${text.length}`);
      return outcomeOf(`searched characters: ${sizes.join(', ')}; ${found.length} found`, {
        [found.join(', ')]: found.length === 0,
        'something to search': places.log.includes('request_id') && places.disk.includes('ada@'),
      });
    },
  },
];
