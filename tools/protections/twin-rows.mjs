/** The protections of what the twin says and remembers: tokens, digests, motion, recordings. */

/** @type {readonly import('./rows.mjs').Protection[]} */
export const TWIN_PROTECTIONS = [
  {
    name: 'a revoked token of the options stays invalid',
    check: 'server/sessions/first-admin.test.ts',
    path: 'server/sessions/first-admin.ts',
    find: "if (!known && revoked) return { kind: 'revoked', revoked };",
    put: '',
  },
  {
    name: 'a revoked token of a seed stays invalid',
    check: 'server/sessions/first-admin.test.ts',
    path: 'server/sessions/first-admin.ts',
    find: 'if (!revoked) return true;',
    put: 'if (!revoked || revoked) return true;',
  },
  {
    name: 'the hash of a token that is revoked',
    check: 'server/sessions/first-admin.test.ts',
    path: 'server/sessions/revoked-tokens.ts',
    find: 'draft.put(database.revokedTokens, secret_sha256, { row });',
    put: '',
  },
  {
    name: 'changes between two marks in the digest',
    check: 'server/twin.test.ts',
    path: 'server/simulation/watches.ts',
    find: '    this.noteChanges(tick);\n    const mark',
    put: '    const mark',
  },
  {
    name: 'the tick of a change in the digest',
    check: 'server/twin.test.ts',
    path: 'server/simulation/watches.ts',
    find: `\`\${tick} \${this.at} \${value}\\n\``,
    put: `\`\${this.at} \${value}\\n\``,
  },
  {
    name: 'an event of a webhook that could not be processed is new again',
    check: 'contract/webhook-receiver.test.ts',
    path: 'contract/webhook-receiver.ts',
    find: '    state.taken.delete(sequence);\n',
    put: '',
  },
  {
    name: 'a log that cannot be read to its end takes no event',
    check: 'contract/webhook-receiver.test.ts',
    path: 'contract/webhook-receiver.ts',
    find: 'logged.push(...page.events);',
    put: "logged.push(...page.events.filter((event) => this.take(event).state === 'new'));",
  },
  {
    name: 'one recording to a file',
    check: 'server/recording/shared-file.test.ts',
    path: 'server/recording/recording.ts',
    find: 'if (!(error instanceof FolderInUse)) return none;',
    put: 'if (error !== null) return none;',
  },
  {
    name: 'the velocity of a body that a gripper lets go',
    check: 'physics/cell/cell-physics.test.ts',
    path: 'physics/cell/rapier-cell-world.ts',
    find: '    this.free(i);\n    const',
    put: '    const',
  },
];
