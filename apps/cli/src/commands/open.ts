import type { Command, Context, Given } from '../command.ts'
import { readText } from '../files.ts'
import { CliError } from '../terminal.ts'

export const openCommand: Command = {
  words: ['open'],
  summary: 'Open a sealed value with the key file',
  json: 'document',
  about:
    'VALUE is a wrapper {"_enc":1,…} as the feed, a webhook or a connection has it, as an object or as its text. Without\n' +
    'VALUE and --file it is read from standard input. Nothing is sent anywhere; the sender of the value is not checked.',
  positionals: ['[VALUE]'],
  options: { file: { type: 'string', value: 'FILE', about: 'Read the value from this file' } },
  async run(context, given) {
    const { terminal, isJson } = context
    const sealed = wrapperOf(await textOf(context, given))
    const text = await (await context.key()).open(sealed)
    // Its lines are its own: nothing else is printed that they could be taken for.
    for (const line of isJson ? [JSON.stringify({ value: text })] : text.split('\n')) terminal.print(line)
  },
}

async function textOf({ terminal }: Context, { positionals: [value], text }: Given): Promise<string> {
  const file = text('file')
  if (value !== undefined) return value
  return file === null
    ? terminal.ask(terminal.isInteractive ? 'Sealed value: ' : '')
    : readText(terminal, file, 'the value')
}

/** The wrapper, also out of the JSON text of its text: events have it as a string. */
function wrapperOf(text: string): string {
  const parsed = parse(text)
  if (typeof parsed === 'string') return wrapperOf(parsed)
  if (typeof parsed === 'object' && parsed !== null && '_enc' in parsed) return JSON.stringify(parsed)
  throw new CliError('this is no sealed value: a wrapper is a JSON object with the members _enc, k, iv and d')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
