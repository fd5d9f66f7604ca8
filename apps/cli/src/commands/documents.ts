import { basename } from 'node:path'
import {
  checkPdf,
  type DocumentContent,
  type DocumentFilter,
  type DocumentRecipient,
  type DocumentRecord,
} from '@sealpost/sdk'
import type { Command, Context, Given, Option } from '../command.ts'
import { readBytes, readJson, reportWritten, writeContent } from '../files.ts'
import { columns } from '../help.ts'
import { printList } from '../table.ts'
import { CliError, UsageError } from '../terminal.ts'
import { missingOption } from './options.ts'

const KINDS = ['document', 'agreement', 'subscription'] as const
const STATUSES = ['waiting', 'offering', 'ready_to_sign', 'active', 'active_but_ending', 'ended'] as const
/** Those that a company may set. */
const NEXT_STATUSES = ['active', 'active_but_ending', 'ended'] as const

const connection: Option = { type: 'string', value: 'ID', about: 'The customer of this connection' }
const person: Option = { type: 'string', value: 'ID', about: 'The customer with this user id' }
const kind: Option = { type: 'string', value: 'KIND', about: KINDS.join(', ') }

const send: Command = {
  words: ['documents', 'send'],
  summary: 'Send a document or contract to a customer, or a document to all',
  json: 'document',
  about:
    'FILE.json is sent as a JSON document, any other file as it is: pdf, doc, docx, xls, xlsx, png, jpg, jpeg. For one\n' +
    'customer it is sealed to their key. A file to be signed or accepted must be a PDF that can be sealed: this is checked\n' +
    'before anything is sent. Prints the id of the document.',
  positionals: ['FILE'],
  options: {
    connection,
    person,
    code: { type: 'string', value: 'SHARE_CODE', about: 'The customer with this share code' },
    all: { type: 'boolean', about: 'All present and future customers, in plaintext' },
    name: { type: 'string', value: 'NAME', about: 'Shown to the customer; the name of the file by default' },
    description: { type: 'string', value: 'TEXT', about: 'Shown to the customer' },
    kind,
    sign: { type: 'boolean', about: 'The customer must sign it' },
    accept: { type: 'boolean', about: 'The customer must accept it' },
    private: { type: 'boolean', about: 'The device shows it only after it was unlocked' },
    metadata: { type: 'string', value: 'FILE', about: 'A JSON object: can_be_cancelled_in_app, cancel_notice_days, …' },
    'idempotency-key': { type: 'string', value: 'KEY', about: 'The same key again sends it once' },
  },
  async run(context, given) {
    const sent = await sendFile(context, given)
    if (context.isJson) return context.terminal.print(JSON.stringify(sent))
    context.terminal.print(sent.id)
  },
}

const check: Command = {
  words: ['documents', 'check'],
  summary: 'Check whether a PDF can be signed and sealed',
  json: 'document',
  about: 'The gate that each contract passes, on this machine: nothing is sent. Exit code 0 only if it can be sealed.',
  positionals: ['FILE'],
  options: {},
  async run({ terminal, isJson }, { positionals: [path = ''] }) {
    const checked = checkPdf(readBytes(terminal, path, 'the PDF'))
    if (isJson) terminal.print(JSON.stringify(checked))
    else
      terminal.print(
        checked.isSignable ? `can be signed (${checked.pages} pages)` : `CANNOT BE SIGNED: ${checked.refusal}`,
      )
    if (!checked.isSignable) throw new CliError(checked.sentence)
  },
}

const list: Command = {
  words: ['documents', 'list'],
  summary: 'List the documents and contracts of the service',
  json: 'lines',
  positionals: [],
  options: { connection, person, kind, status: { type: 'string', value: 'STATUS', about: STATUSES.join(', ') } },
  async run(context, { text }) {
    const [ofConnection, ofPerson] = [text('connection'), text('person')]
    const filter: DocumentFilter = {
      ...(ofConnection === null ? {} : { connection_id: ofConnection }),
      ...(ofPerson === null ? {} : { person_user_id: ofPerson }),
      ...optional('kind', choice('--kind', KINDS, text('kind'))),
      ...optional('status', choice('--status', STATUSES, text('status'))),
    }
    await printList(context, context.service().documents.list(filter), ['id', 'status', 'kind', 'name'], (document) => [
      document.id,
      document.status,
      document.kind,
      document.name,
    ])
  },
}

const show: Command = {
  words: ['documents', 'show'],
  summary: 'Print one document with its signatures',
  json: 'document',
  positionals: ['DOCUMENT_ID'],
  options: {},
  async run(context, { positionals: [id = ''] }) {
    print(context, await context.service().documents.get(id))
  },
}

const status: Command = {
  words: ['documents', 'status'],
  summary: 'End a document or contract, now or on a date, or withdraw its end',
  json: 'document',
  about:
    `STATUS is ${NEXT_STATUSES.join(', ')}. active_but_ending needs --on. Only the customer can make an offer\n` +
    'active: active withdraws the end of a contract.',
  positionals: ['DOCUMENT_ID', 'STATUS'],
  options: { on: { type: 'string', value: 'DATE', about: 'The day on which it ends: 2027-01-31, in UTC' } },
  async run(context, { positionals: [id = '', wanted = ''], text }) {
    const next = choice('STATUS', NEXT_STATUSES, wanted)
    const on = text('on')
    if ((next === 'active_but_ending') !== (on !== null)) throw new UsageError('active_but_ending needs --on DATE')
    const change = { ...optional('status', next), ...optional('cancel_effective_date', on) }
    print(context, await context.service().documents.change(id, change))
  },
}

const remove: Command = {
  words: ['documents', 'delete'],
  summary: 'Delete a document',
  json: 'document',
  about: 'A contract that was signed or accepted must have ended; its customer keeps the copy.',
  positionals: ['DOCUMENT_ID'],
  options: {},
  async run({ service, terminal, isJson }, { positionals: [id = ''] }) {
    await service().documents.delete(id)
    terminal.print(isJson ? JSON.stringify({ id, deleted: true }) : `deleted ${id}`)
  },
}

const file: Command = {
  words: ['documents', 'file'],
  summary: 'Download the file of a document for all customers',
  json: 'document',
  about: 'A file for one customer is sealed to them: use the original that you sent.',
  positionals: ['DOCUMENT_ID'],
  options: { out: { type: 'string', value: 'FILE', about: 'Required' } },
  async run(context, { positionals: [id = ''], text }) {
    const out = text('out') ?? missingOption('out')
    const { bytes, mimeType } = await context.service().documents.readFile(id)
    writeContent(context.terminal, out, bytes)
    const facts = { bytes: bytes.length, mime_type: mimeType }
    reportWritten(context, out, facts, ` (${bytes.length} bytes, ${mimeType})`)
  },
}

export const documentCommands: readonly Command[] = [send, check, list, show, status, remove, file]

async function sendFile(context: Context, given: Given): Promise<DocumentRecord> {
  const { flag, text, positionals } = given
  const path = positionals[0] ?? ''
  const target = recipientOf(given)
  const facts = {
    name: text('name') ?? basename(path),
    ...optional('description', text('description')),
    ...optional('metadata', metadataOf(context, text('metadata'))),
    ...contentOf(context, path),
  }
  const key = text('idempotency-key')
  const options = key === null ? {} : { idempotencyKey: key }
  const ofKind = optional('kind', choice('--kind', KINDS, text('kind')))
  const acts = {
    ...(flag('sign') ? { requires_signature: true } : {}),
    ...(flag('accept') ? { requires_acceptance: true } : {}),
    ...(flag('private') ? { is_private: true } : {}),
  }
  const { documents } = context.service()
  if (target !== null) return documents.send({ ...facts, ...ofKind, ...acts, target }, options)
  if (Object.keys({ ...acts, ...ofKind }).length > 0)
    throw new UsageError('--all sends a plain document: it has no --kind, --sign, --accept or --private')
  return documents.broadcast(facts, options)
}

/** Null for all customers. */
function recipientOf({ text, flag }: Given): DocumentRecipient | null {
  const [id, userId, code] = [text('connection'), text('person'), text('code')]
  const named: readonly DocumentRecipient[] = [
    ...(id === null ? [] : [{ connection_id: id }]),
    ...(userId === null ? [] : [{ person_user_id: userId }]),
    ...(code === null ? [] : [{ share_code: code }]),
  ]
  const [target = null] = named
  if (named.length + (flag('all') ? 1 : 0) === 1) return target
  throw new UsageError('name one recipient: --connection ID, --person ID, --code SHARE_CODE, or --all')
}

function contentOf({ terminal }: Context, path: string): DocumentContent {
  if (!path.toLowerCase().endsWith('.json'))
    return { file: { bytes: readBytes(terminal, path, 'the document'), originalName: basename(path) } }
  const value = readJson(terminal, path, 'a document')
  if (isJsonContent(value)) return { value }
  throw new CliError(`${path} is null: a document says something`)
}

function isJsonContent(value: unknown): value is NonNullable<DocumentContent['value']> {
  return value !== null && value !== undefined
}

function metadataOf({ terminal }: Context, path: string | null) {
  if (path === null) return null
  const value = readJson(terminal, path, 'metadata')
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new CliError(`${path} must contain a JSON object`)
  return { ...value }
}

/** No member for an option that was left out. */
function optional<Name extends string, Value>(name: Name, value: Value | null): Partial<Record<Name, Value>> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object with one computed member
  return (value === null ? {} : { [name]: value }) as Partial<Record<Name, Value>>
}

function choice<Choice extends string>(what: string, choices: readonly Choice[], given: string | null): Choice | null {
  if (given === null) return null
  const found = choices.find((each) => each === given)
  if (found !== undefined) return found
  throw new UsageError(`${what} is one of ${choices.join(', ')}, not ${given}`)
}

function print({ terminal, isJson }: Context, document: DocumentRecord): void {
  if (isJson) return terminal.print(JSON.stringify(document))
  const { id, name, status: own, kind: ofKind, payload_kind: payload, plain_sha256: digest } = document
  terminal.print(`${id}  ${name}`)
  const rows: readonly (readonly [string, string | null])[] = [
    ['status', own],
    ['ends on', document.cancel_effective_date],
    ['kind', `${ofKind}, ${payload}`],
    ['connection', document.connection_id ?? 'all customers'],
    ['sealed at', document.sealed_at],
    ['SHA-256', document.signable === false ? 'missing: it cannot be signed' : digest],
    ...document.signatures.map((act) => [act.action, signatureOf(act)] as const),
  ]
  for (const line of columns(rows.flatMap(([left, right]) => (right === null ? [] : [[left, right] as const]))))
    terminal.print(line)
}

function signatureOf(act: DocumentRecord['signatures'][number]): string {
  const name = [act.signer_first_name, act.signer_last_name].filter((part) => part !== null).join(' ')
  const parts = [`${act.signer_name_verified ? 'verified' : 'unverified'} name ${name}`, act.method, act.created_at]
  return parts.filter((part) => part !== null).join(', ')
}
