import { type Command, commonOptions, type Option } from '../command.ts'
import { UsageError } from '../terminal.ts'

const SHELLS = { bash, zsh, fish } as const satisfies Readonly<Record<string, Script>>

type Script = (commands: readonly Command[]) => readonly string[]

/** Completes these commands and itself. */
export function completionOf(others: readonly Command[]): Command {
  const command: Command = {
    words: ['completion'],
    summary: 'Print the completion of commands and options for a shell',
    json: 'document',
    about:
      'bash: sealpost completion bash > ~/.local/share/bash-completion/completions/sealpost\n' +
      'zsh:  sealpost completion zsh > "${fpath[1]}/_sealpost"\n' +
      'fish: sealpost completion fish > ~/.config/fish/completions/sealpost.fish',
    positionals: ['SHELL'],
    options: {},
    run({ terminal, isJson }, { positionals: [shell = ''] }) {
      const entry = Object.entries(SHELLS).find(([name]) => name === shell)
      if (entry === undefined) throw new UsageError(`SHELL is one of ${Object.keys(SHELLS).join(', ')}`)
      const lines = entry[1]([...others, command])
      if (isJson) terminal.print(JSON.stringify({ shell, script: `${lines.join('\n')}\n` }))
      else for (const line of lines) terminal.print(line)
      return Promise.resolve()
    },
  }
  return command
}

/** What may follow these words: the next words of commands, or the options of the command that they name. */
function followers(commands: readonly Command[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>()
  const add = (before: readonly string[], ...next: readonly string[]): void => {
    const key = before.join(' ')
    found.set(key, new Set([...(found.get(key) ?? []), ...next]))
  }
  for (const { words, options } of commands) {
    for (const [at, word] of words.entries()) add(words.slice(0, at), word)
    add(words, ...optionNames(options))
  }
  add([], 'help', '--version')
  return new Map([...found].map(([words, next]) => [words, [...next].toSorted()]))
}

function optionNames(options: Readonly<Record<string, Option>>): readonly string[] {
  return Object.keys({ ...options, ...commonOptions }).map((name) => `--${name}`)
}

/** The words of the line up to the cursor, without options, select the case; file names follow options that take one. */
function cases(commands: readonly Command[]): readonly string[] {
  return [...followers(commands)].map(([words, next]) => `      '${words}') next='${next.join(' ')}' ;;`)
}

function bash(commands: readonly Command[]): readonly string[] {
  return [
    '_sealpost() {',
    '  local current=${COMP_WORDS[COMP_CWORD]} words= next= at',
    '  for ((at = 1; at < COMP_CWORD; at++)); do',
    '    [[ ${COMP_WORDS[at]} == -* ]] && break',
    '    words="${words:+$words }${COMP_WORDS[at]}"',
    '  done',
    '  while :; do',
    '    case "$words" in',
    ...cases(commands),
    '    esac',
    '    [[ -n $next || $words != *" "* ]] && break',
    '    words=${words% *}',
    '  done',
    '  mapfile -t COMPREPLY < <(compgen -W "$next" -- "$current")',
    '  [[ ${#COMPREPLY[@]} -eq 0 ]] && mapfile -t COMPREPLY < <(compgen -f -- "$current")',
    '}',
    'complete -F _sealpost sealpost',
  ]
}

function zsh(commands: readonly Command[]): readonly string[] {
  return [
    '#compdef sealpost',
    '_sealpost() {',
    '  local said= next= at',
    '  for ((at = 2; at < CURRENT; at++)); do',
    '    [[ ${words[at]} == -* ]] && break',
    '    said="${said:+$said }${words[at]}"',
    '  done',
    '  while :; do',
    '    case "$said" in',
    ...cases(commands),
    '    esac',
    '    [[ -n $next || $said != *" "* ]] && break',
    '    said=${said% *}',
    '  done',
    '  compadd -- ${=next} || _files',
    '}',
    'compdef _sealpost sealpost',
  ]
}

function fish(commands: readonly Command[]): readonly string[] {
  const about = new Map(commands.map(({ words, summary }) => [words.join(' '), summary]))
  const lines = [...followers(commands)].flatMap(([words, next]) =>
    next.map((word) => {
      const option = word.startsWith('--') ? `-l ${word.slice(2)}` : `-f -a ${word}`
      const summary = about.get(words === '' ? word : `${words} ${word}`) ?? ''
      const description = summary === '' ? '' : ` -d '${summary.replaceAll("'", String.raw`\'`)}'`
      return `complete -c sealpost -n '__sealpost_said "${words}"' ${option}${description}`
    }),
  )
  return [
    'function __sealpost_said',
    '  set -l said (string match -v -- "-*" (commandline -opc)[2..-1])',
    '  test "$said" = "$argv[1]"; or string match -q -- "$argv[1] *" "$said"; and test -n "$argv[1]"',
    'end',
    ...lines,
  ]
}
