import { Argument, Command } from 'commander';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { candidates, COMPLETION_SCRIPTS, SHELLS } from '../completion.js';

export const completion = (cli: Cli): Command =>
  new Command('completion')
    .description("print a script that completes words for a shell; load it in the shell's start file: source <(chargebook completion bash)")
    .addArgument(argument.oneOf(new Argument('<shell>', 'the shell'), SHELLS))
    .action((shell: (typeof SHELLS)[number]) => cli.answer({ shell, script: COMPLETION_SCRIPTS[shell] }, () => COMPLETION_SCRIPTS[shell].trimEnd()));

/** The command that those scripts call. */
export const complete = (cli: Cli): Command => {
  const command = new Command('complete');
  return command
    .description('print the possible completions of the last word')
    .argument('[words...]', "the words after the program's name; the last one is incomplete or empty")
    .allowUnknownOption()
    .action(async (words: string[]) => {
      const found = candidates(command.parent!, words);
      await cli.answer(found, () => found.map(({ text, description }) => `${text}\t${description}`).join('\n'));
    });
};
