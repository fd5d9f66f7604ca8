const DEPTH_LIMIT = 3
const MEMBERS_SHOWN = 5
const MESSAGE_LIMIT = 500
const FRAMES_SHOWN = 12

export interface DescribedError {
  readonly type: string
  readonly message: string
  readonly code?: string
  readonly key?: string
  readonly stack?: string
  readonly cause?: DescribedError
  readonly errors?: readonly DescribedError[]
}

/**
 * The loggable part of an error. Only these members are read: drivers attach parameters, rows and whole requests to
 * their errors, and those may be user data. Messages that quote their input are stripped of the quotation.
 */
export function describeError(error: Error, depth = 1): DescribedError {
  const code = memberText(error, 'code', /^[A-Z0-9_]{2,60}$/)
  const key = memberText(error, 'key', /^[a-z0-9_.]{3,60}$/)
  const deeper = depth < DEPTH_LIMIT
  const cause = deeper && error.cause instanceof Error ? describeError(error.cause, depth + 1) : undefined
  const errors = deeper && error instanceof AggregateError ? describeAll(error.errors, depth + 1) : undefined
  const stack = framesOf(error)
  return {
    type: error.name,
    message: safeMessage(error, code),
    ...(code === undefined ? {} : { code }),
    ...(key === undefined ? {} : { key }),
    ...(stack === '' ? {} : { stack }),
    ...(cause === undefined ? {} : { cause }),
    ...(errors === undefined ? {} : { errors }),
  }
}

function describeAll(errors: readonly unknown[], depth: number): readonly DescribedError[] {
  return errors
    .filter((error) => error instanceof Error)
    .slice(0, MEMBERS_SHOWN)
    .map((error) => describeError(error, depth))
}

function memberText(error: Error, name: string, shape: RegExp): string | undefined {
  const value: unknown = Reflect.get(error, name)
  return typeof value === 'string' && shape.test(value) ? value : undefined
}

function safeMessage(error: Error, code: string | undefined): string {
  const message = quotesItsInput(error, code) ? error.message.replaceAll(/(["'`]).*\1/gs, '"…"') : error.message
  return message
    .replaceAll(/\b(Bearer|Basic)\s+\S+/gi, '$1 …')
    .replaceAll(/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, '…')
    .replaceAll(/\/\/[^\s/@]+@/g, '//')
    .replaceAll(/(\w+:\/\/[^\s?#"']+)[?#][^\s"']*/g, '$1')
    .slice(0, MESSAGE_LIMIT)
}

/** JSON.parse quotes the text it failed on; PostgreSQL's data exceptions (class 22) quote the value. */
function quotesItsInput(error: Error, code: string | undefined): boolean {
  return error instanceof SyntaxError || (code?.length === 5 && code.startsWith('22'))
}

/** The stack begins with the message, which has its own rules; only the frames are taken. */
function framesOf(error: Error): string {
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? []
  return frames.slice(0, FRAMES_SHOWN).join('\n')
}
