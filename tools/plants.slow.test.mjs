/** docs/plants.md and docs/evidence/falls.md have the figures of the plants as they are. */
import { execFileSync } from 'node:child_process';
import { it } from 'vitest';

it('the page of the plants has their figures', () => {
  const command = ['--import', 'tsx', 'tools/plants.mjs', '--check'];
  execFileSync(process.execPath, command, { stdio: 'inherit' });
});
