/**
 * The kinds of faults. Each acts at one port of the twin: driver, inputs, cell, planner, updates,
 * stream, database, replies or connections. Code above the table does not ask which kind a fault is of.
 */

import { armFaults } from './arm-faults.ts';
import { cellFaults } from './cell-faults.ts';
import { connectionFaults } from './connection-faults.ts';
import type { FaultTable } from './fault-kind.ts';
import type { FaultPorts } from './fault-ports.ts';
import { serviceFaults } from './service-faults.ts';

/** The table of a twin with these ports. */
export function createFaultTable(ports: FaultPorts): FaultTable {
  return {
    ...armFaults(ports),
    ...cellFaults(ports),
    ...serviceFaults(ports),
    ...connectionFaults(ports),
  };
}
