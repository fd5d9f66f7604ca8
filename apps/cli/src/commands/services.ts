import { createHash } from 'node:crypto'
import { type DataClients, isSealpostError, type MadeService, type Services } from '@sealpost/sdk'
import type { Command, Context, Given } from '../command.ts'
import { readSecret, refuseExisting, reportWritten, writeSecret } from '../files.ts'
import { columns } from '../help.ts'
import { printList } from '../table.ts'
import { CliError, type Terminal } from '../terminal.ts'
import { newServiceOf, newServiceOptions } from './new-service.ts'
import { confirm, missingOption, secretPlaceOf, yesOption } from './options.ts'

const passphraseFile = {
  type: 'string',
  value: 'FILE',
  about: 'File with the passphrase; the setting passphrase by default',
} as const

const secretOptions = {
  'secret-file': { type: 'string', value: 'FILE', about: 'Write the secret to this file, readable for you only' },
  'show-secret': { type: 'boolean', about: 'Print the secret' },
} as const

const create: Command = {
  words: ['services', 'create'],
  summary: 'Create a service and its key',
  json: 'document',
  about:
    'The key pair is generated on this machine. The platform gets the public key and the wrapped private key, but never the\n' +
    'passphrase: name a file for it. A copy that only the recovery key of the company opens is stored by default.',
  positionals: [],
  options: {
    name: { type: 'string', value: 'NAME', about: 'Required' },
    'admin-email': { type: 'string', value: 'ADDRESS', about: 'Required; receives alerts' },
    ...newServiceOptions,
    'passphrase-file': {
      type: 'string',
      value: 'FILE',
      about: 'Write the passphrase to this file, readable for you only',
    },
    'show-passphrase': { type: 'boolean', about: 'Print the passphrase' },
    'no-recovery-copy': { type: 'boolean', about: 'Store no sealed copy of the passphrase' },
  },
  async run(context, given) {
    const { file, isPrinted } = secretPlaceOf(context, given, 'passphrase')
    const options = { recoveryCopy: !given.flag('no-recovery-copy') }
    const account = context.account()
    const made = await account.services.create(await newServiceOf(context, given), options)
    if (file !== null) writeSecret(context.terminal, file, `${made.passphrase}\n`)
    printMade(context, made, isPrinted)
  },
}

const list: Command = {
  words: ['services', 'list'],
  summary: 'List the services of the company',
  json: 'lines',
  positionals: [],
  options: {},
  async run(context) {
    await printList(context, context.account().services.list(), ['id', 'code', 'name', 'state'], (service) => [
      service.id,
      service.share_code,
      service.name,
      service.state,
    ])
  },
}

const get: Command = {
  words: ['services', 'get'],
  summary: 'Print one service',
  json: 'document',
  positionals: ['SERVICE_ID'],
  options: {},
  async run({ account, isJson, terminal }, { positionals: [serviceId = ''] }) {
    const service = await account().services.read(serviceId)
    if (isJson) return terminal.print(JSON.stringify(service))
    const { public_key: publicKey, ...shown } = service
    const rows = Object.entries(shown).map(
      ([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const,
    )
    const fingerprint = createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('hex')
    for (const line of columns([...rows, ['key fingerprint', fingerprint]])) terminal.print(line)
  },
}

const remove: Command = {
  words: ['services', 'delete'],
  summary: 'Delete a service with its connections and all shared values',
  json: 'document',
  about:
    'Waits until the platform no longer finds it and prints the progress; Ctrl-C stops the waiting, not the deletion. Runs ' +
    'without their answers, and all that was signed or accepted, stay with the company, and so does the key of the service.',
  positionals: ['SERVICE_ID'],
  options: { yes: yesOption },
  async run(context, given) {
    const [serviceId = ''] = given.positionals
    const { terminal, isJson } = context
    const { services } = context.account()
    const { name, share_code: code } = await services.read(serviceId)
    await confirm(context, given, `delete ${name} (${code}) with all its connections and the values of its customers`)
    await services.delete(serviceId)
    const signal = terminal.untilInterrupted()
    await untilGone(terminal, services, serviceId, signal)
    terminal.print(isJson ? JSON.stringify({ id: serviceId, deleted: true }) : `deleted ${name}`)
  },
}

const pem: Command = {
  words: ['services', 'pem'],
  summary: 'Write the encrypted private key of a service to a file',
  json: 'document',
  positionals: ['SERVICE_ID'],
  options: {
    out: { type: 'string', value: 'FILE', about: 'Required' },
    'passphrase-file': passphraseFile,
    'new-passphrase-file': {
      type: 'string',
      value: 'FILE',
      about: 'File with another passphrase, to encrypt the new file with',
    },
  },
  async run(context, { positionals: [serviceId = ''], text }) {
    const { terminal } = context
    const out = text('out') ?? missingOption('out')
    refuseExisting(terminal, out)
    const file = text('passphrase-file')
    const passphrase = file === null ? context.passphrase() : readSecret(terminal, file, 'the passphrase')
    const newFile = text('new-passphrase-file')
    const newPassphrase = newFile === null ? passphrase : readSecret(terminal, newFile, 'the passphrase')
    writeSecret(terminal, out, await context.account().services.exportPem(serviceId, passphrase, newPassphrase))
    reportWritten(context, out)
  },
}

const createClient: Command = {
  words: ['services', 'client', 'create'],
  summary: 'Create the data client of a service',
  json: 'document',
  positionals: ['SERVICE_ID'],
  options: secretOptions,
  run: (context, given) => makeSecret(context, given, (clients, serviceId) => clients.create(serviceId)),
}

const showClient: Command = {
  words: ['services', 'client', 'show'],
  summary: 'Print the data client of a service, without its secret',
  json: 'document',
  positionals: ['SERVICE_ID'],
  options: {},
  async run({ account, isJson, terminal }, { positionals: [serviceId = ''] }) {
    const client = await account().dataClients.read(serviceId)
    if (isJson) return terminal.print(JSON.stringify(client))
    const rows = [
      ['client id', client.client_id],
      ['grant types', client.grant_types.join(', ')],
      ['redirect URI', client.redirect_uri ?? 'none'],
    ] as const
    for (const line of columns(rows)) terminal.print(line)
  },
}

const regenerateClient: Command = {
  words: ['services', 'client', 'regenerate'],
  summary: 'Replace the secret of the data client; the old secret and all tokens end at once',
  json: 'document',
  positionals: ['SERVICE_ID'],
  options: { ...secretOptions, yes: yesOption },
  async run(context, given) {
    secretPlaceOf(context, given, 'secret')
    await confirm(context, given, 'end the present secret and all tokens of this data client at once')
    await makeSecret(context, given, (clients, serviceId) => clients.regenerateSecret(serviceId))
  },
}

export const serviceCommands: readonly Command[] = [
  create,
  list,
  get,
  remove,
  pem,
  createClient,
  showClient,
  regenerateClient,
]

async function makeSecret(
  context: Context,
  given: Given,
  make: (
    clients: DataClients,
    serviceId: string,
  ) => Promise<{ readonly client_id: string; readonly client_secret: string | null }>,
): Promise<void> {
  const [serviceId = ''] = given.positionals
  const { terminal, isJson } = context
  const { file, isPrinted } = secretPlaceOf(context, given, 'secret')
  const { client_secret: secret, ...made } = await make(context.account().dataClients, serviceId)
  if (file !== null) writeSecret(terminal, file, `${secret ?? ''}\n`)
  if (isJson) return terminal.print(JSON.stringify(isPrinted ? { ...made, client_secret: secret } : made))
  terminal.print(made.client_id)
  if (isPrinted) terminal.print(secret ?? '')
}

const ASK_EVERY_MS = 1000

async function untilGone(
  terminal: Terminal,
  services: Services,
  serviceId: string,
  signal: AbortSignal,
): Promise<void> {
  let reported: string | null = null
  for (;;) {
    try {
      const { state } = await services.read(serviceId, { signal })
      if (state !== reported) terminal.log(`the deletion is running (${state})`)
      reported = state
      await terminal.wait(ASK_EVERY_MS, signal)
    } catch (error) {
      if (isSealpostError(error, 'services.not_found')) return
      if (signal.aborted) throw new CliError('the deletion goes on at the platform')
      throw error
    }
  }
}

function printMade({ terminal, isJson }: Context, made: MadeService, withPassphrase: boolean): void {
  const { service, passphrase, recovery_copy_id: copy, recovery_error: failure } = made
  if (isJson) {
    const shown = { ...service, recovery_copy_id: copy, ...(withPassphrase ? { passphrase } : {}) }
    terminal.print(JSON.stringify(shown))
  } else {
    for (const line of columns([
      ['id', service.id],
      ['share code', service.share_code],
    ]))
      terminal.print(line)
    if (withPassphrase) for (const line of columns([['passphrase', passphrase]])) terminal.print(line)
  }
  if (failure !== undefined) {
    terminal.log('note: no recovery copy could be stored: a lost passphrase cannot be recovered')
  }
}
