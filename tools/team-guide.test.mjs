/**
 * Runs the code blocks of docs/team.md in one shell, from top to bottom: two twins, users and nginx. Only ports,
 * folders and the command are replaced. Without nginx the blocks that need it are left out; the first needs openssl.
 * @module-tag ci
 */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from './package/action.mjs';
import { isBuilt } from './setup/build.mjs';

const run = promisify(execFile);
const PAGE = readFileSync('docs/team.md', 'utf8');
const BLOCKS = [...PAGE.matchAll(/```sh\n(.*?)```/gs)].map(([, text]) => String(text));
const PROGRAM = isBuilt()
  ? [resolve('dist/server/main.js')]
  : ['--import', 'tsx', resolve('server/main.ts')];
const [HAS_NGINX, HAS_OPENSSL] = ['nginx', 'openssl'].map((name) => !spawnSync(name, ['-v']).error);
const MARK = '=== block ';

/** Below node_modules, where threads find the loader of sources. */
const folder = resolve('node_modules/.cache/armtwin/team');
beforeAll(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * A block with the places of this run. nginx then writes into the folder alone, and no test waits for a plant.
 * @param {string} text @param {readonly number[]} ports of the twins and of nginx
 */
function placed(text, [left, right, tls]) {
  return text
    .replaceAll('./armtwin ', `exec ${[process.execPath, ...PROGRAM].join(' ')} --driver fast `)
    .replaceAll('8081', String(left))
    .replaceAll('8082', String(right))
    .replaceAll(':443:', `:${tls}:`)
    .replaceAll('$name.twin.example.org/', `$name.twin.example.org:${tls}/`)
    .replaceAll('deploy/proxy/nginx.conf', resolve('deploy/proxy/nginx.conf'))
    .replace(
      'nginx -c "$PWD/proxy/nginx.conf"',
      `sed -i 's|listen 443|listen 127.0.0.1:${tls}|; s|^http {|http { access_log off;|' proxy/nginx.conf
       $& -g "pid $PWD/nginx.pid; error_log $PWD/nginx.log;"`,
    );
}

describe('docs/team.md', () => {
  it.runIf(HAS_OPENSSL)(
    'runs its blocks in one shell, top to bottom',
    async () => {
      const ports = [await freePort(), await freePort(), await freePort()];
      const chosen = BLOCKS.filter((text) => HAS_NGINX || !/nginx|proxy\//.test(text));
      const steps = chosen.map((text, at) => `echo '\n${MARK}${at}'\n${placed(text, ports)}`);
      // The twins are jobs of the shell, nginx is none.
      const end = `trap 'kill $(jobs -p) $(cat nginx.pid 2> nginx.none); wait' EXIT`;
      const script = `${end}\n${steps.join('')}`;
      const { stdout } = await run('bash', ['-eu', '-c', script], {
        cwd: folder,
        timeout: 170_000,
      });
      const printed = stdout.split(`\n${MARK}`).slice(1);
      const of = (/** @type {string} */ words) => {
        const at = chosen.findIndex((text) => text.includes(words));
        return at < 0 ? null : String(printed[at]);
      };
      expect(stdout).not.toContain('error_code');
      expect(of('tokens -H')).toMatch(/"token":"[^"]+"/);
      expect(of('controls/lock')).toContain('"owner":"none"');
      expect(of('curl -s -X DELETE')).not.toBeNull();
      if (HAS_NGINX) expect(of('--cacert')?.match(/"APIs"/g)?.length).toBe(2);
      expect(['left', 'right'].every((name) => existsSync(join(folder, name)))).toBe(true);
    },
    180_000,
  );
});
