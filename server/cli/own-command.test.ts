import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { ownCommand } from './own-command.ts';

const NPM = { npm_lifecycle_event: 'start', npm_package_name: 'armtwin' };

it.each([
  ['npm start of a clone', resolve('dist/server/main.js'), NPM, 'npm start --'],
  [
    'npm run demo',
    resolve('dist/server/main.js'),
    { ...NPM, npm_lifecycle_event: 'demo' },
    'npm run demo --',
  ],
  ['npm start of a project', resolve('app.js'), { ...NPM, npm_package_name: 'x' }, 'node app.js'],
  ['the command of a clone', resolve('tools/armtwin.mjs'), {}, './armtwin'],
  ['that of another clone', resolve('../armtwin/tools/armtwin.mjs'), {}, '../armtwin/armtwin'],
  ['a global package', '/usr/local/bin/armtwin', {}, 'armtwin'],
  ['a package', '/home/x/node_modules/.bin/armtwin', {}, 'npx --no-install armtwin'],
  ['a wheel', '/v/site-packages/armtwin/server/dist/server/main.js', {}, 'armtwin'],
  ['Node', resolve('dist/server/main.js'), {}, 'node dist/server/main.js'],
])('is that of %s', (_, program, env, command) => {
  expect(ownCommand(program, env)).toBe(command);
});
