import type { Command, Option } from 'commander';

/** A possible last word, with its meaning. */
export interface Candidate {
  readonly text: string;
  readonly description: string;
}

/**
 * Returns candidates for the last of `words`, the words after the program's name; the last one may be empty or incomplete. Empty when any word is
 * allowed: a name, a number, a file.
 */
export function candidates(program: Command, words: readonly string[]): Candidate[] {
  const last = words.at(-1) ?? '';
  let command = program;
  let awaited: Option | undefined;
  let places = 0;
  for (const word of words.slice(0, -1)) {
    if (awaited) awaited = undefined;
    else if (word.startsWith('-'))
      awaited = optionsOf(program, command).find((option) => takesWord(option) && [option.long, option.short].includes(word));
    else {
      const child = command.commands.find((each) => each.name() === word);
      if (child) command = child;
      else places += 1;
    }
  }
  if (awaited) return (awaited.argChoices ?? []).map((text) => ({ text, description: '' }));
  const found = last.startsWith('-') ? optionCandidates(program, command) : wordCandidates(command, places);
  return found.filter(({ text }) => text.startsWith(last));
}

function wordCandidates(command: Command, places: number): Candidate[] {
  const help = command.createHelp();
  const children = help.visibleCommands(command).map((child) => ({ text: child.name(), description: child.description() }));
  const argument = command.registeredArguments[places];
  return [...children, ...(argument?.argChoices ?? []).map((text) => ({ text, description: argument!.description }))];
}

const optionCandidates = (program: Command, command: Command): Candidate[] =>
  optionsOf(program, command).flatMap(({ long, description }) => (long ? [{ text: long, description }] : []));

/** Returns the options of the command and those of the program. */
function optionsOf(program: Command, command: Command): Option[] {
  const help = command.createHelp();
  return command === program ? help.visibleOptions(command) : [...help.visibleOptions(command), ...program.options];
}

const takesWord = ({ required, optional }: Option): boolean => required || optional;

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** The scripts call `chargebook complete` for candidates: one per line, text and description separated by a tab. */
export const COMPLETION_SCRIPTS: Readonly<Record<(typeof SHELLS)[number], string>> = {
  bash: `_chargebook() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(chargebook complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _chargebook chargebook
`,
  zsh: `#compdef chargebook
_chargebook() {
  local -a lines
  lines=("\${(@f)$(chargebook complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  lines=("\${(@)lines//:/\\\\:}")
  lines=("\${(@)lines/$'\\t'/:}")
  if [[ -n $lines[1] ]]; then _describe command lines; else _files; fi
}
if [[ $funcstack[1] == _chargebook ]]; then _chargebook; else compdef _chargebook chargebook; fi
`,
  fish: `function __chargebook_complete
  set -l words (commandline -opc)
  chargebook complete -- $words[2..] (commandline -ct) 2>/dev/null
end
complete -c chargebook -f -a '(__chargebook_complete)'
`,
};
