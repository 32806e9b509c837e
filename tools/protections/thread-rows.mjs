/** The protections of the control loop from the other threads and from collections of garbage. */

/** @type {readonly import('./rows.mjs').Protection[]} */
export const THREAD_PROTECTIONS = [
  {
    name: 'the control loop goes first',
    check: 'priority',
    path: 'server/program.ts',
    find: '  preferControlLoop();\n',
    put: '',
  },
  {
    name: 'collections of the control loop stay short',
    check: 'collections',
    path: 'server/main.ts',
    find: "process.on('worker', (thread) => {\n",
    put: "process.on('worker', (thread) => {\n  return;\n",
  },
  {
    name: 'threads of pools go behind the control loop',
    check: 'priority',
    path: 'server/planning/planner.ts',
    find: 'niceIncrement: THREAD_NICENESS,',
    put: 'niceIncrement: 0,',
  },
];
