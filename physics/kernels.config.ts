/**
 * Plugin of the Vite builds: the dynamics of the arm as source text. To generate it takes 20 to
 * 40 ms of each start, and pages may not run generated code, so that they would interpret it.
 */
import type { Plugin } from 'vite';
import { generateKernels } from './dynamics/arm-kernels.ts';

const DYNAMICS = 'physics/dynamics/arm-kernels.ts';
const HOOK = /^const kernelsAhead = .*;$/m;

export const kernelsAhead: Plugin = {
  name: 'kernels-ahead',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith(DYNAMICS)) return null;
    if (!HOOK.test(code)) throw new Error('arm-kernels.ts has no line for its kernels');
    const rows = Object.entries(generateKernels()).map(([name, kernel]) => `${name}: ${kernel}`);
    return code.replace(
      HOOK,
      () => `const kernelsAhead = (): Kernels => ({ ${rows.join(', ')} });`,
    );
  },
};
