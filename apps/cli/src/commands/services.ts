import type { MadeService, NewService, ServiceRecord } from '@sealpost/sdk'
import type { Command, Context, Given } from '../command.ts'
import { readSecret, refuseExisting, writeSecret } from '../files.ts'
import { columns } from '../help.ts'
import { UsageError } from '../terminal.ts'
import { missingOption, secretPlaceOf } from './options.ts'

const passphraseFile = {
  type: 'string',
  value: 'FILE',
  about: 'File with the passphrase; the setting passphrase by default',
} as const

const create: Command = {
  words: ['services', 'create'],
  summary: 'Create a service and its key',
  about:
    'The key pair is generated on this machine. The platform gets the public key and the wrapped private key, but never the\n' +
    'passphrase: name a file for it. A copy that only the recovery key of the company opens is stored by default.',
  positionals: [],
  options: {
    name: { type: 'string', value: 'NAME', about: 'Required' },
    'admin-email': { type: 'string', value: 'ADDRESS', about: 'Required; receives alerts' },
    'share-code': { type: 'string', value: 'CODE', about: 'Derived from the name by default' },
    audience: { type: 'string', value: 'WHO', about: 'person, company or both (default)' },
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
    const made = await context.account().services.create(newService(given), options)
    if (file !== null) writeSecret(context.terminal, file, `${made.passphrase}\n`)
    printMade(context, made, isPrinted)
  },
}

const list: Command = {
  words: ['services', 'list'],
  summary: 'List the services of the company',
  positionals: [],
  options: {},
  async run({ account, isJson, terminal }) {
    for await (const service of account().services.list()) {
      terminal.print(isJson ? JSON.stringify(service) : lineOf(service))
    }
  },
}

const pem: Command = {
  words: ['services', 'pem'],
  summary: 'Write the encrypted private key of a service to a file',
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
    terminal.log(`wrote ${out}`)
  },
}

const client: Command = {
  words: ['services', 'client'],
  summary: 'Create the data client of a service',
  positionals: ['SERVICE_ID'],
  options: {
    'secret-file': { type: 'string', value: 'FILE', about: 'Write the secret to this file, readable for you only' },
    'show-secret': { type: 'boolean', about: 'Print the secret' },
  },
  async run(context, given) {
    const [serviceId = ''] = given.positionals
    const { terminal, isJson } = context
    const { file, isPrinted } = secretPlaceOf(context, given, 'secret')
    const { client_secret: secret, ...made } = await context.account().dataClients.create(serviceId)
    if (file !== null) writeSecret(terminal, file, `${secret ?? ''}\n`)
    if (isJson) return terminal.print(JSON.stringify(isPrinted ? { ...made, client_secret: secret } : made))
    terminal.print(made.client_id)
    if (isPrinted) terminal.print(secret ?? '')
  },
}

export const serviceCommands: readonly Command[] = [create, list, pem, client]

function newService({ text }: Given): NewService {
  const [shareCode, audience] = [text('share-code'), text('audience')]
  return {
    name: text('name') ?? missingOption('name'),
    admin_email: text('admin-email') ?? missingOption('admin-email'),
    ...(shareCode === null ? {} : { share_code: shareCode }),
    ...(audience === null ? {} : { audience: audienceOf(audience) }),
  }
}

function audienceOf(text: string): NonNullable<NewService['audience']> {
  if (text === 'person' || text === 'company' || text === 'both') return text
  throw new UsageError('--audience is person, company or both')
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

function lineOf({ id, share_code: code, name, state }: ServiceRecord): string {
  return `${id}  ${code.padEnd(8)}  ${name}${state === 'active' ? '' : `  (${state})`}`
}
