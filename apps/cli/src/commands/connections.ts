import type { Connection, DecryptedValue, ReceivedFile, ServiceClient, ServiceKey } from '@sealpost/sdk'
import type { Command, Context } from '../command.ts'
import { writeContent } from '../files.ts'
import { columns } from '../help.ts'
import { CliError } from '../terminal.ts'
import { fileNameOf } from './file-names.ts'

const decrypt = { type: 'boolean', about: 'Decrypt the values with the key file' } as const

const list: Command = {
  words: ['connections', 'list'],
  summary: 'List the connections and their values',
  json: 'lines',
  positionals: [],
  options: { decrypt },
  async run(context, { flag }) {
    const client = context.service()
    const key = flag('decrypt') ? await context.key() : null
    for await (const connection of client.connections.list()) await show(context, client, connection, key)
  },
}

const get: Command = {
  words: ['connections', 'get'],
  summary: 'Print one connection',
  json: 'document',
  positionals: ['CONNECTION_ID'],
  options: { decrypt },
  async run(context, { positionals: [id = ''], flag }) {
    const client = context.service()
    const key = flag('decrypt') ? await context.key() : null
    await show(context, client, await client.connections.get(id), key)
  },
}

const files: Command = {
  words: ['connections', 'files'],
  summary: 'Download and decrypt the files of a connection',
  json: 'lines',
  positionals: ['CONNECTION_ID', '[SLUG]'],
  options: { out: { type: 'string', value: 'FOLDER', about: 'Target folder; the current folder by default' } },
  async run(context, { positionals: [id = '', slug], text }) {
    const client = context.service()
    const connection = await client.connections.get(id)
    const wanted = Object.entries(connection.values).filter(
      ([name, { value_url: url }]) => url !== undefined && (slug === undefined || name === slug),
    )
    if (wanted.length === 0) throw new CliError(slug === undefined ? 'this connection has no files' : `no file ${slug}`)
    for (const [name] of wanted) {
      const answer = await client.files.readShared(connection, name, context.key)
      const wrote = save(context, text('out') ?? '.', name, answer.files)
      if (context.isJson) {
        const { kind, sha256, name: holder, entries } = answer
        context.terminal.print(JSON.stringify({ slug: name, kind, sha256, name: holder, entries, wrote }))
      }
    }
  },
}

export const connectionCommands: readonly Command[] = [list, get, files]

async function show(
  { terminal, isJson }: Context,
  client: ServiceClient,
  connection: Connection,
  key: ServiceKey | null,
): Promise<void> {
  const opened = key === null ? null : await client.values.decrypt(connection, key)
  if (isJson) return terminal.print(JSON.stringify(opened === null ? connection : { ...connection, opened }))
  terminal.print(`${connection.id}  ${connection.connected_at}  ${connection.display_name}`)
  const rows = connection.fields.map(({ slug, type }) => [slug, markOf(opened?.[slug]), describe(opened?.[slug], type)])
  for (const line of columns(rows)) terminal.print(line)
}

function describe(value: DecryptedValue | undefined, type: string): string {
  if (value === undefined) return `(${type}, sealed)`
  if (value.kind === 'unreadable') return `(cannot be decrypted: ${value.message})`
  if (value.kind === 'refused') return `(refused: ${value.message})`
  if (value.kind === 'file') return value.valueUrl === null ? `(${type}, expired)` : `(${type}, a file)`
  return typeof value.value === 'object' ? JSON.stringify(value.value) : String(value.value)
}

/** In a column before the value, where no value can stand. */
function markOf(value: DecryptedValue | undefined): string {
  return value?.kind === 'text' && value.attestation === 'attested' ? 'attested' : ''
}

function save(
  { terminal, isJson }: Context,
  folder: string,
  slug: string,
  received: readonly ReceivedFile[],
): readonly string[] {
  return received.map((file, at) => {
    const path = `${folder}/${fileNameOf(slug, at, received.length, file)}`
    writeContent(terminal, path, file.bytes)
    if (!isJson) terminal.log(`wrote ${path} (${file.bytes.length} bytes, ${file.mimeType})`)
    return path
  })
}
