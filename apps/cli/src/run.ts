import { parseArgs } from 'node:util'
import { nearest } from '@sealpost/kernel'
import {
  ContentMismatchError,
  EnvelopeError,
  FlowError,
  isSealpostError,
  KeyChangedError,
  NetworkError,
  NotSignableError,
  SealingError,
  type SealpostError,
  StoreError,
  UnexpectedAnswerError,
  UntrustedAnswerError,
} from '@sealpost/sdk'
import { type Command, commonOptions, type Given, type Option } from './command.ts'
import { commands } from './commands/index.ts'
import { openContext, readSettings } from './config.ts'
import { groupHelp, helpOf, overview, usageOf } from './help.ts'
import { CliError, type Terminal, UsageError } from './terminal.ts'
import { CLI_VERSION } from './version.ts'

const DONE = 0
const FAILED = 1
const WRONG_USAGE = 2

/** Runs the command that these words name and returns the exit code. */
export async function run(terminal: Terminal, words: readonly string[]): Promise<number> {
  try {
    return await dispatch(terminal, words)
  } catch (error) {
    const isUsage = error instanceof UsageError
    if (!isUsage && !isExpected(error)) throw error
    const hints = isUsage ? [] : hintsFor(error)
    if (words.includes('--json')) terminal.log(JSON.stringify(errorDocument(error, hints)))
    else for (const line of [`sealpost: ${error.message}`, ...hints.map((hint) => `  ${hint}`)]) terminal.log(line)
    return isUsage ? WRONG_USAGE : FAILED
  }
}

async function dispatch(terminal: Terminal, words: readonly string[]): Promise<number> {
  const [first] = words
  if (first === undefined || first === '--help' || first === '-h') return printAll(terminal, overview(commands), first)
  if (first === 'help') return printAll(terminal, helpFor(words.slice(1)), first)
  if (first === '--version' || first === '-v') return printAll(terminal, [CLI_VERSION], first)
  const command = findCommand(words)
  if (command === undefined) {
    const group = words.filter((word) => !['--help', '-h'].includes(word))
    const hasGroup = group.length < words.length || group.length === 1
    if (hasGroup && groupOf(group).length > 0) {
      return printAll(terminal, groupHelp(group, groupOf(group)), words.length > group.length ? 'help' : undefined)
    }
    throw new UsageError(unknownCommand(words))
  }
  const { given, values } = readArguments(command, words.slice(command.words.length))
  if (values['help'] === true) {
    for (const line of helpOf(command)) terminal.print(line)
    return DONE
  }
  const needed = command.positionals.filter((name) => !name.startsWith('['))
  if (given.positionals.length < needed.length || given.positionals.length > command.positionals.length) {
    throw new UsageError(`usage: sealpost ${usageOf(command)}; see --help${meantWord(command, given.positionals)}`)
  }
  const settings = readSettings(terminal, given.text('config'))
  await command.run(await openContext(terminal, given.flag('json'), settings), given)
  return DONE
}

/** Without any word, the help is an answer to wrong usage. */
function printAll(terminal: Terminal, lines: readonly string[], first: string | undefined): number {
  for (const line of lines) terminal.print(line)
  return first === undefined ? WRONG_USAGE : DONE
}

/** The command with the most words: `changes follow` is not `changes` with an argument. */
function findCommand(words: readonly string[]): Command | undefined {
  return commands
    .filter(({ words: own }) => own.every((word, at) => words[at] === word))
    .toSorted((a, b) => b.words.length - a.words.length)[0]
}

function groupOf(words: readonly string[]): readonly Command[] {
  return commands.filter(({ words: own }) => own.length > words.length && words.every((word, at) => own[at] === word))
}

function helpFor(words: readonly string[]): readonly string[] {
  const command = findCommand(words)
  if (words.length === 0) return overview(commands)
  if (command !== undefined) return helpOf(command)
  if (groupOf(words).length > 0) return groupHelp(words, groupOf(words))
  throw new UsageError(unknownCommand(words))
}

function readArguments(command: Command, words: readonly string[]): { given: Given; values: Values } {
  const options = Object.fromEntries(
    Object.entries<Option>({ ...commonOptions, ...command.options }).map(([name, { type, isRepeatable = false }]) => [
      name,
      { type, multiple: isRepeatable },
    ]),
  )
  const parsed = parse(command, { args: [...words], options, allowPositionals: true, strict: true })
  const values: Values = parsed.values
  const given: Given = {
    positionals: parsed.positionals,
    text: (name) => {
      const value = values[name]
      return typeof value === 'string' ? value : null
    },
    texts: (name) => {
      const value = values[name]
      return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
    },
    flag: (name) => values[name] === true,
  }
  return { given, values }
}

type Values = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>

function parse(command: Command, config: Parameters<typeof parseArgs>[0]): ReturnType<typeof parseArgs> {
  try {
    return parseArgs(config)
  } catch (error) {
    const help = `sealpost ${command.words.join(' ')} --help lists the options`
    const code = error instanceof Error && 'code' in error ? error.code : ''
    const message = error instanceof Error ? error.message : 'the arguments cannot be read'
    const unknown = /'(--?[^' ]+)'/.exec(message)?.[1]
    if (code !== 'ERR_PARSE_ARGS_UNKNOWN_OPTION' || unknown === undefined) throw new UsageError(`${message}; ${help}`)
    const names = Object.keys({ ...command.options, ...commonOptions }).map((name) => `--${name}`)
    const meant = nearest(unknown, names)
    const advice = meant === null ? help : `did you mean ${meant}? ${help}`
    throw new UsageError(`there is no option ${unknown}; ${advice}`)
  }
}

/** Names the command that was probably meant; else those of the group, else where to look. */
function unknownCommand(words: readonly string[]): string {
  const given = words.slice(0, 3).filter((word) => !word.startsWith('-'))
  const spoken = `there is no command ${given.slice(0, 2).join(' ')}`
  const names = commands.map(({ words: own }) => own.join(' '))
  const meant = given
    .map((_, at) => nearest(given.slice(0, given.length - at).join(' '), names))
    .find((name) => name !== null)
  if (meant !== undefined && meant !== null) return `${spoken}; did you mean sealpost ${meant}?`
  const group = names.filter((name) => name.split(' ')[0] === given[0])
  if (group.length > 0) return `${spoken}; there are: ${group.join(', ')}`
  const first = nearest(given[0] ?? '', [...new Set(names.map((name) => name.split(' ')[0] ?? ''))])
  const groupNames = names.filter((name) => name.split(' ')[0] === first)
  return first === null
    ? `${spoken}; sealpost help lists all`
    : `${spoken}; did you mean one of: ${groupNames.join(', ')}?`
}

/** `changes folow`: the first argument may be a misspelled word of a longer command. */
function meantWord({ words }: Command, positionals: readonly string[]): string {
  const next = groupOf(words).map(({ words: own }) => own[words.length] ?? '')
  const meant = nearest(positionals[0] ?? '', next)
  return meant === null ? '' : `; did you mean sealpost ${[...words, meant].join(' ')}?`
}

/** With `--json`, an error is a document, too. */
function errorDocument(error: Error, hints: readonly string[]): Readonly<Record<string, unknown>> {
  const refusal = isSealpostError(error) ? { error_key: error.key, status: error.status } : {}
  return { error: error.message, ...refusal, ...(hints.length === 0 ? {} : { hint: hints.join('; ') }) }
}

const EXPECTED = [
  ContentMismatchError,
  EnvelopeError,
  FlowError,
  KeyChangedError,
  NetworkError,
  NotSignableError,
  SealingError,
  StoreError,
  UnexpectedAnswerError,
  UntrustedAnswerError,
] as const

/** Any other error is a bug of this program: its stack trace is printed. */
function isExpected(error: unknown): error is Error {
  if (isSealpostError(error) || error instanceof CliError || error instanceof TypeError) return true
  return EXPECTED.some((kind) => error instanceof kind)
}

function hintsFor(error: Error): readonly string[] {
  if (isSealpostError(error, 'oauth.bad_client')) return ['check the client id and its secret, or create a new secret']
  if (isSealpostError(error, 'auth.client_endpoint_forbidden')) return [hintForForbidden(error)]
  if (isSealpostError(error, 'region.rebase_required')) return ['front_door must name the front door, not a region']
  return []
}

function hintForForbidden({ details }: SealpostError<'auth.client_endpoint_forbidden'>): string {
  const { required_capability: missing } = details
  if (missing !== undefined) return `this client lacks the capability ${missing}; grant it in the portal`
  return 'this client lacks the permission: an account client needs the capability, a data client only reads its service'
}
