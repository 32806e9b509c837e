/** The options and help of `armtwin mcp`. */
import type { Command } from 'commander';
import type { CommandHandlers, Flags } from '../command-handlers.ts';
import { option, parser } from '../option.ts';
import * as values from '../option-parsers.ts';

/** Adds the command that serves the tools of a twin to an agent. */
export function addMcpCommand(program: Command, handlers: CommandHandlers): void {
  program
    .command('mcp')
    .description('serve the tools of a twin to an agent (Model Context Protocol, standard input)')
    .addOption(
      option('--url <address>', 'base URL of the twin', 'URL')
        .argParser(parser(values.address))
        .default('http://127.0.0.1:8080'),
    )
    .addOption(option('--token <secret>', 'API token; the agent has its rights', 'TOKEN'))
    .option('--allow-hardware', 'let the agent move an arm that is not simulated')
    .addHelpText(
      'after',
      `
The agent reads the state, plans and checks toolpath files, rehearses them in a cell, runs them on
the twin, and asks why the arm has stopped. A configuration of an agent names the command:

  {"mcpServers": {"armtwin": {"command": "armtwin", "args": ["mcp", "--token", "…"]}}}`,
    )
    .action((flags: Flags) => handlers.mcp(flags));
}
