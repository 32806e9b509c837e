/** Random calls around a snapshot: restored twins continue with the same bits and digests (D40). */
import { randomRestoreCases } from './random-restores.cases.ts';

const FIRST = Number(process.env['ARMTWIN_FIRST'] ?? 100);
const ROUNDS = Number(process.env['ARMTWIN_ROUNDS'] ?? 60);

randomRestoreCases('fast', FIRST, ROUNDS);
randomRestoreCases('rapier', FIRST, Math.ceil(ROUNDS / 5));
