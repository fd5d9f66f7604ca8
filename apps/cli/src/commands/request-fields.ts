import type { RequestFieldToPublish } from '@sealpost/sdk'
import type { Command } from '../command.ts'
import { readJson, writeContent } from '../files.ts'
import { CliError } from '../terminal.ts'
import { missingOption } from './options.ts'

const WORDS = ['services', 'request-fields'] as const

const pull: Command = {
  words: [...WORDS, 'pull'],
  summary: 'Write the request fields of a service to a file',
  about: 'The file contains the config token: a later push is refused if another user published in between.',
  positionals: ['SERVICE_ID'],
  options: { out: { type: 'string', value: 'FILE', about: 'Target file; standard output by default' } },
  async run({ account, terminal }, { positionals: [serviceId = ''], text }) {
    const read = await account().requestFields.read(serviceId)
    const document = `${JSON.stringify(read, null, 2)}\n`
    const out = text('out')
    if (out === null) return terminal.print(document.trimEnd())
    writeContent(terminal, out, document)
    terminal.log(`wrote ${read.request_fields.length} rows to ${out}`)
  },
}

const push: Command = {
  words: [...WORDS, 'push'],
  summary: 'Publish the request fields of a service from a file',
  about:
    'Replaces the rows: those that are not in the file are removed, with the values of the customers. The file is then\n' +
    'rewritten with the ids and the config token of the published rows, ready for the next change.',
  positionals: ['SERVICE_ID'],
  options: {
    file: { type: 'string', value: 'FILE', about: 'Required' },
    force: { type: 'boolean', about: 'Publish even if another user published since the pull' },
  },
  async run({ account, terminal, isJson }, { positionals: [serviceId = ''], text, flag }) {
    const file = text('file') ?? missingOption('file')
    const { token, rows } = readRows(readJson(terminal, file, 'request fields'), file)
    const { requestFields } = account()
    const published =
      flag('force') || token === null
        ? await requestFields.update(serviceId, () => rows)
        : await requestFields.publish(serviceId, token, rows)
    writeContent(terminal, file, `${JSON.stringify(published, null, 2)}\n`)
    if (isJson) terminal.print(JSON.stringify(published))
    else terminal.log(`published ${published.request_fields.length} rows`)
  },
}

export const requestFieldCommands: readonly Command[] = [pull, push]

/** Reads the file of `pull`, or a bare list of rows. */
function readRows(
  document: unknown,
  file: string,
): { readonly token: string | null; readonly rows: readonly RequestFieldToPublish[] } {
  const members: Readonly<Record<string, unknown>> = typeof document === 'object' ? { ...document } : {}
  const list: unknown = Array.isArray(document) ? document : members['request_fields']
  if (!Array.isArray(list) || !list.every(isRow)) {
    throw new CliError(`${file} must contain a list of rows, each with label and type, or the output of pull`)
  }
  const token = members['config_token']
  return { token: typeof token === 'string' ? token : null, rows: list }
}

function isRow(row: unknown): row is RequestFieldToPublish {
  if (typeof row !== 'object' || row === null || !('label' in row) || !('type' in row)) return false
  return typeof row.label === 'string' && typeof row.type === 'string'
}
