/** A twin outlives values of a list at many places of a snapshot file, others in each run. */
import { hostileSnapshotCases } from './hostile-snapshots.cases.ts';

hostileSnapshotCases(40, Math.floor(Math.random() * 2 ** 32));
