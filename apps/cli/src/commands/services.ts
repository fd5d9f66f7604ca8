import type { MadeService, NewService, ServiceRecord } from '@sealpost/sdk'
import type { Command, Context, Given } from '../command.ts'
import { readText, refuseExisting, writeSecret } from '../files.ts'
import { columns } from '../help.ts'
import { UsageError } from '../terminal.ts'

const passphraseFile = {
  type: 'string',
  value: 'FILE',
  about: 'Holds the passphrase; else the setting passphrase',
} as const

const create: Command = {
  words: ['services', 'create'],
  summary: 'Make a service with a key of its own',
  about:
    'The key pair is made here. The platform gets the public half and the wrapped private half, and never the passphrase:\n' +
    'say where it goes. A sealed copy that only the recovery key of the company opens is stored unless you say otherwise.',
  positionals: [],
  options: {
    name: { type: 'string', value: 'NAME', about: 'Needed' },
    'admin-email': { type: 'string', value: 'ADDRESS', about: 'Needed; alerts go there' },
    'share-code': { type: 'string', value: 'CODE', about: 'Made from the name when left out' },
    audience: { type: 'string', value: 'WHO', about: 'person, company or both (default)' },
    'passphrase-file': { type: 'string', value: 'FILE', about: 'Write the passphrase there, for you only' },
    'show-passphrase': { type: 'boolean', about: 'Print the passphrase' },
    'no-recovery-copy': { type: 'boolean', about: 'Store no sealed copy of the passphrase' },
  },
  async run(context, given) {
    const file = given.text('passphrase-file')
    if (file === null && !given.flag('show-passphrase')) {
      throw new UsageError('the passphrase is shown once: give --passphrase-file FILE or --show-passphrase')
    }
    if (file !== null) refuseExisting(context.terminal, file)
    const options = { recoveryCopy: !given.flag('no-recovery-copy') }
    const made = await context.account().services.create(newService(given), options)
    if (file !== null) writeSecret(context.terminal, file, `${made.passphrase}\n`)
    showMade(context, made, given.flag('show-passphrase'))
  },
}

const list: Command = {
  words: ['services', 'list'],
  summary: 'The services of the company',
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
    out: { type: 'string', value: 'FILE', about: 'Needed' },
    'passphrase-file': passphraseFile,
    'new-passphrase-file': { type: 'string', value: 'FILE', about: 'Protect the file with this one instead' },
  },
  async run(context, { positionals: [serviceId = ''], text }) {
    const { terminal } = context
    const out = text('out') ?? wanted('out')
    refuseExisting(terminal, out)
    const file = text('passphrase-file')
    const passphrase = file === null ? context.passphrase() : readSecret(context, file)
    const newFile = text('new-passphrase-file')
    const newPassphrase = newFile === null ? passphrase : readSecret(context, newFile)
    writeSecret(terminal, out, await context.account().services.exportPem(serviceId, passphrase, newPassphrase))
    terminal.tell(`wrote ${out}`)
  },
}

const client: Command = {
  words: ['services', 'client'],
  summary: 'Make the data client of a service',
  positionals: ['SERVICE_ID'],
  options: {
    'secret-file': { type: 'string', value: 'FILE', about: 'Write the secret there, for you only' },
    'show-secret': { type: 'boolean', about: 'Print the secret' },
  },
  async run(context, { positionals: [serviceId = ''], text, flag }) {
    const { terminal, isJson } = context
    const file = text('secret-file')
    if (file === null && !flag('show-secret')) {
      throw new UsageError('the secret is shown once: give --secret-file FILE or --show-secret')
    }
    if (file !== null) refuseExisting(terminal, file)
    const { client_secret: secret, ...made } = await context.account().dataClients.create(serviceId)
    if (file !== null) writeSecret(terminal, file, `${secret ?? ''}\n`)
    const shown = flag('show-secret') ? { ...made, client_secret: secret } : made
    if (isJson) return terminal.print(JSON.stringify(shown))
    terminal.print(made.client_id)
    if (flag('show-secret')) terminal.print(secret ?? '')
  },
}

export const serviceCommands: readonly Command[] = [create, list, pem, client]

function newService({ text }: Given): NewService {
  const [shareCode, audience] = [text('share-code'), text('audience')]
  return {
    name: text('name') ?? wanted('name'),
    admin_email: text('admin-email') ?? wanted('admin-email'),
    ...(shareCode === null ? {} : { share_code: shareCode }),
    ...(audience === null ? {} : { audience: audienceOf(audience) }),
  }
}

function audienceOf(text: string): NonNullable<NewService['audience']> {
  if (text === 'person' || text === 'company' || text === 'both') return text
  throw new UsageError('--audience is person, company or both')
}

function showMade({ terminal, isJson }: Context, made: MadeService, showsPassphrase: boolean): void {
  const { service, passphrase, recovery_copy_id: copy, recovery_error: failure } = made
  if (isJson) {
    const shown = { ...service, recovery_copy_id: copy, ...(showsPassphrase ? { passphrase } : {}) }
    terminal.print(JSON.stringify(shown))
  } else {
    for (const line of columns([
      ['id', service.id],
      ['share code', service.share_code],
    ]))
      terminal.print(line)
    if (showsPassphrase) for (const line of columns([['passphrase', passphrase]])) terminal.print(line)
  }
  if (failure !== undefined) {
    terminal.tell('note: no recovery copy could be stored, so keep the passphrase well: nobody can give it back to you')
  }
}

function lineOf({ id, share_code: code, name, state }: ServiceRecord): string {
  return `${id}  ${code.padEnd(8)}  ${name}${state === 'active' ? '' : `  (${state})`}`
}

function readSecret({ terminal }: Context, file: string): string {
  return readText(terminal, file, 'the passphrase').replace(/\r?\n$/, '')
}

export function wanted(option: string): never {
  throw new UsageError(`--${option} is needed`)
}
