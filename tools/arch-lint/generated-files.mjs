/** Rule for generated files: each is committed as its generator makes it now. */
import { execFile } from 'node:child_process';
import { isGenerated } from './tree.mjs';

const SHOWN = 20;

/**
 * Compares the generated files with what their generator makes now.
 * @param {import('./tree.mjs').Tree} tree
 * @returns {Promise<{ checked: number, problems: string[] }>}
 */
export function generatedFiles(tree) {
  const checked = [...tree.files.keys()].filter(isGenerated).length;
  return new Promise((resolve) => {
    const options = { cwd: tree.root };
    execFile(process.execPath, ['tools/generate.mjs', '--check'], options, (error, out, err) => {
      const output = `${out}${err}`.trim().split('\n').slice(0, SHOWN);
      const problems = error === null ? [] : [...output, 'generate them again: npm run generate'];
      resolve({ checked, problems });
    });
  });
}
