import { type AccountClient, isSealpostError, ServiceKey } from '@sealpost/sdk'
import type { Command, Context, Given } from '../command.ts'
import { readSecret, refuseExisting, writeSecret } from '../files.ts'
import { columns } from '../help.ts'
import { CliError } from '../terminal.ts'
import { frontDoorOf, logIn, loginLine } from './login.ts'
import { newServiceOf, newServiceOptions } from './new-service.ts'
import { missingOption } from './options.ts'

const CONFIG = 'sealpost.json'
const FILES = {
  ignore: '.sealpost/.gitignore',
  key: '.sealpost/service.pem',
  passphrase: '.sealpost/passphrase',
  secret: '.sealpost/client-secret',
} as const

export const initCommand: Command = {
  words: ['init'],
  summary: 'Set up a service: its key, its data client and the settings in this folder',
  json: 'document',
  about:
    'Logs in if necessary, creates a service (or takes an existing one), makes its key pair on this machine, registers its\n' +
    'data client, and writes sealpost.json. The key file, its passphrase and the secret of the client are written to\n' +
    '.sealpost, readable for you only, with a .gitignore. Existing files are never replaced. Asks for what is left out;\n' +
    'without a terminal, give --name and --admin-email, or --service and --passphrase-file.',
  positionals: [],
  options: {
    name: { type: 'string', value: 'NAME', about: 'Name of the new service' },
    'admin-email': { type: 'string', value: 'ADDRESS', about: 'Receives alerts; that of the account by default' },
    ...newServiceOptions,
    service: { type: 'string', value: 'SERVICE_ID', about: 'Set up an existing service instead of creating one' },
    'passphrase-file': { type: 'string', value: 'FILE', about: 'File with the passphrase of the existing service' },
    'front-door': { type: 'string', value: 'URL', about: 'Address of the front door' },
    'no-browser': { type: 'boolean', about: 'Log in with a code from a browser on another machine' },
  },
  async run(context, given) {
    const { terminal } = context
    for (const file of [CONFIG, ...Object.values(FILES)]) refuseExisting(terminal, file)
    const door = await frontDoorOf(context, given.text('front-door'))
    const account = await accountAt(context, given, door)
    const made = await obtainService(context, given, account)
    step(context, `service ${made.name} (${made.id})`)
    writeSecret(terminal, FILES.ignore, '*\n')
    if (made.isNew) writeSecret(terminal, FILES.passphrase, `${made.passphrase}\n`)
    const clientId = await makeClient(context, account, made.id)
    const pem = await account.services.exportPem(made.id, made.passphrase)
    writeSecret(terminal, FILES.key, pem)
    await refuseOtherKey(made, pem)
    step(context, `key file ${FILES.key}`)
    const passphraseFile = made.isNew ? FILES.passphrase : given.text('passphrase-file')
    const config = {
      front_door: door,
      ...(clientId === null ? {} : { client_id: clientId, client_secret_file: FILES.secret }),
      key_file: FILES.key,
      passphrase_file: passphraseFile,
    }
    writeSecret(terminal, CONFIG, `${JSON.stringify(config, null, 2)}\n`)
    report(context, made, clientId)
  },
}

interface ServiceAtHand {
  readonly id: string
  readonly name: string
  readonly code: string
  readonly publicKey: string
  readonly passphrase: string
  readonly isNew: boolean
}

async function accountAt(context: Context, given: Given, door: string): Promise<AccountClient> {
  if (context.accountAccess(door) === 'client') return context.account()
  const login = await context.logins.find(door)
  if (login !== null) return context.accountOf(login)
  if (!context.terminal.isInteractive) throw new CliError(`not logged in at ${door}: run sealpost login`)
  const { client, profile } = await logIn(context, door, given.flag('no-browser'))
  context.terminal.log(loginLine(door, profile))
  return client
}

async function obtainService(context: Context, given: Given, account: AccountClient): Promise<ServiceAtHand> {
  const { terminal } = context
  const existing = given.text('service')
  if (existing !== null) {
    const file = given.text('passphrase-file') ?? missingOption('passphrase-file')
    const passphrase = readSecret(terminal, file, 'the passphrase')
    const { id, name, share_code: code, public_key: publicKey } = await account.services.read(existing)
    return { id, name, code, publicKey, passphrase, isNew: false }
  }
  const wish = await newServiceOf(context, given, async () => (await account.read()).email)
  step(context, 'making the key pair')
  const made = await account.services.create(wish)
  const { service, passphrase, recovery_error: failure } = made
  if (failure !== undefined) terminal.log('note: no recovery copy could be stored: keep the passphrase safe')
  return {
    id: service.id,
    name: service.name,
    code: service.share_code,
    publicKey: service.public_key,
    passphrase,
    isNew: true,
  }
}

/** Null where the company's level includes no data client: all else is set up, and the client can follow later. */
async function makeClient(context: Context, account: AccountClient, serviceId: string): Promise<string | null> {
  const { terminal } = context
  try {
    const { client_id: clientId, client_secret: secret } = await account.dataClients.create(serviceId)
    writeSecret(terminal, FILES.secret, `${secret ?? ''}\n`)
    step(context, `data client ${clientId}`)
    return clientId
  } catch (error) {
    if (isSealpostError(error, 'account.level_required')) {
      terminal.log(`note: no data client: it needs the level ${error.details.required_level}`)
      return null
    }
    if (!isSealpostError(error, 'services.client_exists')) throw error
    const command = `sealpost services client regenerate ${serviceId} --secret-file ${FILES.secret}`
    terminal.log(`note: the service has a data client already; for a new secret: ${command}`)
    const { client_id: clientId } = await account.dataClients.read(serviceId)
    return clientId
  }
}

/** A platform that lies about the key would make every value unreadable. */
async function refuseOtherKey({ publicKey, passphrase }: ServiceAtHand, pem: string): Promise<void> {
  const key = await ServiceKey.fromPem(pem, passphrase)
  if (key.publicKey !== publicKey)
    throw new CliError('the private key does not belong to the public key of the service')
}

function step({ terminal }: Context, what: string): void {
  terminal.log(`- ${what}`)
}

function report({ terminal, isJson }: Context, { id, name, code }: ServiceAtHand, clientId: string | null): void {
  if (isJson)
    return terminal.print(JSON.stringify({ service_id: id, share_code: code, client_id: clientId, config: CONFIG }))
  const rows = [
    ['service', `${name} (${id})`],
    ['share code', code],
    ['settings', CONFIG],
  ] as const
  for (const line of columns(rows)) terminal.print(line)
  terminal.log('next: sealpost doctor, sealpost services request-fields push, sealpost listen localhost:3000')
}
