import type { RequestFieldToPublish } from '@sealpost/sdk'
import type { Command } from '../command.ts'
import { readJson, writeContent } from '../files.ts'
import { CliError } from '../terminal.ts'
import { wanted } from './services.ts'

const WORDS = ['services', 'request-fields'] as const

const pull: Command = {
  words: [...WORDS, 'pull'],
  summary: 'Write what a service asks for to a file',
  about: 'The file carries the config token: pushing it later is refused if somebody published in between.',
  positionals: ['SERVICE_ID'],
  options: { out: { type: 'string', value: 'FILE', about: 'Print it when left out' } },
  async run({ account, terminal }, { positionals: [serviceId = ''], text }) {
    const read = await account().requestFields.read(serviceId)
    const document = `${JSON.stringify(read, null, 2)}\n`
    const out = text('out')
    if (out === null) return terminal.print(document.trimEnd())
    writeContent(terminal, out, document)
    terminal.tell(`wrote ${read.request_fields.length} rows to ${out}`)
  },
}

const push: Command = {
  words: [...WORDS, 'push'],
  summary: 'Publish what a service asks for from a file',
  about:
    'Replaces the rows: those that are not in the file are removed with the values that customers gave. The file is\n' +
    'written anew with the ids and the token of what was published, ready for the next change.',
  positionals: ['SERVICE_ID'],
  options: {
    file: { type: 'string', value: 'FILE', about: 'Needed' },
    force: { type: 'boolean', about: 'Publish whatever others published since the file was pulled' },
  },
  async run({ account, terminal, isJson }, { positionals: [serviceId = ''], text, flag }) {
    const file = text('file') ?? wanted('file')
    const { token, rows } = readRows(readJson(terminal, file, 'request fields'), file)
    const { requestFields } = account()
    const published =
      flag('force') || token === null
        ? await requestFields.update(serviceId, () => rows)
        : await requestFields.publish(serviceId, token, rows)
    writeContent(terminal, file, `${JSON.stringify(published, null, 2)}\n`)
    if (isJson) terminal.print(JSON.stringify(published))
    else terminal.tell(`published ${published.request_fields.length} rows`)
  },
}

export const requestFieldCommands: readonly Command[] = [pull, push]

/** What `pull` wrote, or a bare list of rows for the first time. */
function readRows(
  document: unknown,
  file: string,
): { readonly token: string | null; readonly rows: readonly RequestFieldToPublish[] } {
  const members: Readonly<Record<string, unknown>> = typeof document === 'object' ? { ...document } : {}
  const list: unknown = Array.isArray(document) ? document : members['request_fields']
  if (!Array.isArray(list) || !list.every(isRow)) {
    throw new CliError(`${file} must hold a list of rows, each with label and type, or what pull wrote`)
  }
  const token = members['config_token']
  return { token: typeof token === 'string' ? token : null, rows: list }
}

function isRow(row: unknown): row is RequestFieldToPublish {
  if (typeof row !== 'object' || row === null || !('label' in row) || !('type' in row)) return false
  return typeof row.label === 'string' && typeof row.type === 'string'
}
