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
import { VaultError } from '@sealpost/vault'
import { type Command, commonOptions, type Given, type Option } from './command.ts'
import { commands } from './commands/index.ts'
import { openContext, readSettings } from './config.ts'
import { groupHelp, helpDocument, helpOf, overview, usageOf } from './help.ts'
import { printable, printableJson } from './printable.ts'
import { CliError, type Terminal, UsageError } from './terminal.ts'
import { CLI_VERSION } from './version.ts'

const DONE = 0
const FAILED = 1
const WRONG_USAGE = 2

/** Runs the command that these words name and returns the exit code. */
export async function run(outside: Terminal, words: readonly string[]): Promise<number> {
  const isJson = words.includes('--json')
  const terminal = withPrintable(outside, isJson ? printableJson : printable)
  try {
    return await dispatch(isJson ? withJsonNotes(terminal) : terminal, words)
  } catch (error) {
    const isUsage = error instanceof UsageError
    if (!isUsage && !isExpected(error)) return reportBug(terminal, isJson, error)
    const hints = isUsage ? [] : hintsFor(error)
    if (isJson) terminal.log(JSON.stringify(errorDocument(error, hints)))
    else
      for (const line of [`sealpost: ${error.message}`, ...[...detailsOf(error), ...hints].map((each) => `  ${each}`)])
        terminal.log(line)
    return isUsage ? WRONG_USAGE : FAILED
  }
}

function withPrintable({ print, log, ...terminal }: Terminal, shown: (line: string) => string): Terminal {
  return { ...terminal, print: (line) => print(shown(line)), log: (line) => log(shown(line)) }
}

/** With `--json` every line of standard error is a document, so that a program finds the error among the notes. */
function withJsonNotes(terminal: Terminal): Terminal {
  return { ...terminal, log: (message) => terminal.log(JSON.stringify({ message })) }
}

function reportBug(terminal: Terminal, isJson: boolean, error: unknown): number {
  if (!isJson || !(error instanceof Error)) throw error
  terminal.log(JSON.stringify({ error: error.message, stack: error.stack }))
  return FAILED
}

async function dispatch(terminal: Terminal, words: readonly string[]): Promise<number> {
  const [first] = words
  if (first === '--version' || first === '-v') {
    terminal.print(words.includes('--json') ? JSON.stringify({ version: CLI_VERSION }) : CLI_VERSION)
    return DONE
  }
  if (first === 'help') return printHelp(terminal, words.slice(1))
  const command = findCommand(words)
  if (command === undefined) return printGroup(terminal, words)
  const { given, values } = readArguments(command, words.slice(command.words.length))
  if (values['help'] === true) return printHelp(terminal, [...command.words, ...(given.flag('json') ? ['--json'] : [])])
  const needed = command.positionals.filter((name) => !name.startsWith('['))
  if (given.positionals.length < needed.length || given.positionals.length > command.positionals.length) {
    throw new UsageError(`usage: sealpost ${usageOf(command)}; see --help${meantWord(command, given.positionals)}`)
  }
  const settings = readSettings(terminal, given.text('config'))
  await command.run(await openContext(terminal, given.flag('json'), settings), given)
  return DONE
}

const HELP_OPTIONS: readonly string[] = ['--help', '-h', '--json']

/** The help of a command, of a group of commands, or of all. */
function printHelp(terminal: Terminal, words: readonly string[]): number {
  const named = words.filter((word) => !HELP_OPTIONS.includes(word))
  const command = findCommand(named)
  const group = command === undefined ? groupOf(named) : [command]
  if (group.length === 0) throw new UsageError(unknownCommand(named))
  if (words.includes('--json')) {
    terminal.print(helpDocument(group))
    return DONE
  }
  const ofGroup = named.length === 0 ? overview(commands) : groupHelp(named, group)
  for (const line of command === undefined ? ofGroup : helpOf(command)) terminal.print(line)
  return DONE
}

/** Without a request for help, the help is an answer to wrong usage. */
function printGroup(terminal: Terminal, words: readonly string[]): number {
  const named = words.filter((word) => !HELP_OPTIONS.includes(word))
  if (words.includes('--help') || words.includes('-h')) return printHelp(terminal, words)
  if (named.length < 2 && words[0] === named[0] && groupOf(named).length > 0) {
    printHelp(terminal, words)
    return WRONG_USAGE
  }
  if (words[0]?.startsWith('-') === true)
    throw new UsageError(`${words[0]} follows a command: sealpost COMMAND ${words[0]}`)
  throw new UsageError(unknownCommand(words))
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
  const details = detailsOf(error)
  return {
    error: error.message,
    ...refusal,
    ...(details.length === 0 ? {} : { details }),
    ...(hints.length === 0 ? {} : { hint: hints.join('; ') }),
  }
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
  VaultError,
] as const

/** Any other error is a bug of this program: its stack trace is printed. */
function isExpected(error: unknown): error is Error {
  if (isSealpostError(error) || error instanceof CliError || error instanceof TypeError) return true
  return EXPECTED.some((kind) => error instanceof kind)
}

function detailsOf(error: Error): readonly string[] {
  return error instanceof CliError ? error.details : []
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
