import { parseArgs } from 'node:util'
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
  UnexpectedAnswerError,
  UntrustedAnswerError,
} from '@sealpost/sdk'
import { type Command, commonOptions, type Given, type Option } from './command.ts'
import { commands } from './commands/index.ts'
import { openContext, readSettings } from './config.ts'
import { helpOf, overview } from './help.ts'
import { CliError, type Terminal, UsageError } from './terminal.ts'

const DONE = 0
const FAILED = 1
const WRONG_USAGE = 2

/** Runs the command that these words name and returns the exit code. */
export async function run(terminal: Terminal, words: readonly string[]): Promise<number> {
  try {
    return await dispatch(terminal, words)
  } catch (error) {
    if (error instanceof UsageError) {
      terminal.log(`sealpost: ${error.message}`)
      return WRONG_USAGE
    }
    if (!isExpected(error)) throw error
    terminal.log(`sealpost: ${error.message}`)
    for (const line of hintsFor(error)) terminal.log(`  ${line}`)
    return FAILED
  }
}

async function dispatch(terminal: Terminal, words: readonly string[]): Promise<number> {
  const [first] = words
  if (first === undefined || first === 'help' || first === '--help' || first === '-h') {
    for (const line of overview(commands)) terminal.print(line)
    return first === undefined ? WRONG_USAGE : DONE
  }
  const command = commands.find(({ words: own }) => own.every((word, at) => words[at] === word))
  if (command === undefined) throw new UsageError(unknownCommand(words))
  const { given, values } = readArguments(command, words.slice(command.words.length))
  if (values['help'] === true) {
    for (const line of helpOf(command)) terminal.print(line)
    return DONE
  }
  const needed = command.positionals.filter((name) => !name.startsWith('['))
  if (given.positionals.length < needed.length || given.positionals.length > command.positionals.length) {
    throw new UsageError(`usage: sealpost ${[...command.words, ...command.positionals].join(' ')}; see --help`)
  }
  const settings = readSettings(terminal, given.text('config'))
  await command.run(openContext(terminal, given.flag('json'), settings), given)
  return DONE
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
    const message = error instanceof Error ? error.message : 'the arguments cannot be read'
    throw new UsageError(`${message}; sealpost ${command.words.join(' ')} --help lists the options`)
  }
}

function unknownCommand(words: readonly string[]): string {
  const group = commands.filter(({ words: own }) => own[0] === words[0])
  const known = (group.length > 0 ? group : commands).map(({ words: own }) => own.join(' '))
  return `there is no command ${words.slice(0, 2).join(' ')}; there are: ${known.join(', ')}`
}

const EXPECTED = [
  ContentMismatchError,
  EnvelopeError,
  FlowError,
  KeyChangedError,
  NetworkError,
  NotSignableError,
  SealingError,
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
