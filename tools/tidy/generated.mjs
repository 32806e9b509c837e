/** Generated files are what their generator makes today (rule 13): made again and compared. */
import { execFile } from 'node:child_process';
import { isGenerated } from './tree.mjs';

/**
 * Runs tools/generate.mjs --check below the tree's root.
 * @param {import('./tree.mjs').Tree} tree
 * @returns {Promise<{ checked: number, problems: string[] }>}
 */
export function generatedDrift(tree) {
  const checked = [...tree.files.keys()].filter(isGenerated).length;
  return new Promise((resolve) => {
    const options = { cwd: tree.root };
    execFile(process.execPath, ['tools/generate.mjs', '--check'], options, (error, out, err) => {
      const said = `${out}${err}`.trim().split('\n').slice(0, 20);
      const problems = error === null ? [] : [...said, 'make them again: npm run generate'];
      resolve({ checked, problems });
    });
  });
}
