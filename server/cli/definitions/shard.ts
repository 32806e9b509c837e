/** The options and help of `armtwin shard`. */
import type { Command } from 'commander';
import type { CommandHandlers, Flags } from '../command-handlers.ts';
import { parser } from '../option.ts';
import * as values from '../option-parsers.ts';

/** Adds the command that runs another one as shards. */
export function addShardCommand(program: Command, handlers: CommandHandlers): void {
  program
    .command('shard')
    .argument('<count>', 'number of shards', parser(values.count))
    .argument('<command...>', 'command of armtwin with its arguments, after --')
    .usage('[options] <count> -- COMMAND…')
    .description('run a command as shards: on all cores, or one in each pod')
    .option(
      '--jobs <number>',
      'shards at once; default: the cores, 1 for verify',
      parser(values.count),
    )
    .addHelpText(
      'after',
      `
{shard} in the arguments is replaced by the shard, such as 2/8; without it, --shard is added to the
command. {index} is replaced by its number, for names of files. In a pod of an Indexed Job of
Kubernetes only the shard of JOB_COMPLETION_INDEX runs. The exit code is the highest of the shards.

Examples:
  armtwin shard 8 -- plan --threads 1 --json toolpaths
  armtwin shard 8 -- rehearse toolpaths --cell trays.json --variations 20 --junit part-{index}.xml
  armtwin shard 4 -- run --clock 10 -- armtwin verify {url} --token {token} --shard {shard}`,
    )
    .action((count: number, command: string[], flags: Flags) => {
      const problem = shardProblem(program, command);
      if (problem !== null) program.error(`error: ${problem}`, { exitCode: 2 });
      return handlers.shard(count, command, flags);
    });
}

/** Why a command cannot be run as shards, or null: each shard would fail in words of its own. */
function shardProblem(program: Command, [name = '', ...rest]: readonly string[]): string | null {
  const found = program.commands.find((command) => command.name() === name);
  if (!found) return `unknown command '${name}' behind --`;
  const isPlaced = rest.some((part) => part.includes('{shard}'));
  if (isPlaced || found.options.some(({ long }) => long === '--shard')) return null;
  return `${name} has no option --shard; place {shard} in its arguments`;
}
