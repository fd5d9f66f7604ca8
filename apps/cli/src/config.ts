import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { AccountClient, type SdkEvent, type SdkWarning, ServiceClient, ServiceKey } from '@sealpost/sdk'
import { filePins } from '@sealpost/sdk/file-store'
import type { Context } from './command.ts'
import { pathOf, readJson, readSecret, readText } from './files.ts'
import { CliError, type Terminal } from './terminal.ts'

/** The names of each setting in the file and in the environment, which takes precedence. */
export const settings = {
  front_door: { variable: 'SEALPOST_FRONT_DOOR', about: 'Address of the front door' },
  client_id: { variable: 'SEALPOST_CLIENT_ID', about: 'Data client svc_… of the service' },
  client_secret: { variable: 'SEALPOST_CLIENT_SECRET', about: 'Secret of the data client' },
  client_secret_file: { variable: 'SEALPOST_CLIENT_SECRET_FILE', about: 'File that contains it' },
  key_file: { variable: 'SEALPOST_KEY_FILE', about: 'Encrypted private key of the service (.pem)' },
  passphrase: { variable: 'SEALPOST_PASSPHRASE', about: 'Passphrase of the key file' },
  passphrase_file: { variable: 'SEALPOST_PASSPHRASE_FILE', about: 'File that contains it' },
  account_client_id: { variable: 'SEALPOST_ACCOUNT_CLIENT_ID', about: 'Account client acct_…' },
  account_client_secret: { variable: 'SEALPOST_ACCOUNT_CLIENT_SECRET', about: 'Secret of the account client' },
  account_client_secret_file: { variable: 'SEALPOST_ACCOUNT_CLIENT_SECRET_FILE', about: 'File that contains it' },
  pins_folder: {
    variable: 'SEALPOST_PINS_FOLDER',
    about: 'Folder that remembers keys and senders; ~/.sealpost/pins by default',
  },
  webhook_secret: { variable: 'SEALPOST_WEBHOOK_SECRET', about: 'Secret with which listen and trigger sign' },
  webhook_secret_file: { variable: 'SEALPOST_WEBHOOK_SECRET_FILE', about: 'File that contains it' },
} as const satisfies Readonly<Record<string, { readonly variable: string; readonly about: string }>>

export type Setting = keyof typeof settings

export type Settings = (name: Setting) => string | null

/** No setting is required until a command reads it. */
export function readSettings(terminal: Terminal, givenPath: string | null): Settings {
  const path = givenPath ?? terminal.environment['SEALPOST_CONFIG'] ?? findFile(terminal)
  const file = path === null ? new Map<string, string>() : readFile(terminal, path)
  return (name) => terminal.environment[settings[name].variable] ?? file.get(name) ?? null
}

export function openContext(terminal: Terminal, isJson: boolean, read: Settings): Context {
  const passphrase = (): string => secretOf(terminal, read, 'passphrase', 'passphrase_file')
  const keyFile = (): string => readText(terminal, read('key_file') ?? missing('key_file'), 'the private key')
  const log = (event: SdkEvent): void => {
    if (event.kind === 'waiting') terminal.log(`waiting ${event.seconds} s (${event.reason})`)
  }
  const onWarning = ({ method, address, message }: SdkWarning): void =>
    terminal.log(`warning: ${method} ${address}: ${message}`)
  const pinsOf = (clientId: string) => filePins(join(pinsFolder(terminal, read), clientId))
  const frontDoorUrl = (): string => read('front_door') ?? missing('front_door')
  return {
    terminal,
    isJson,
    frontDoorUrl,
    account() {
      const url = frontDoorUrl()
      const clientId = read('account_client_id') ?? missing('account_client_id')
      return new AccountClient({
        frontDoorUrl: url,
        clientId,
        clientSecret: secretOf(terminal, read, 'account_client_secret', 'account_client_secret_file'),
        pins: pinsOf(clientId),
        log,
        onWarning,
      })
    },
    service(options = {}) {
      const url = frontDoorUrl()
      const clientId = read('client_id') ?? missing('client_id')
      return new ServiceClient({
        frontDoorUrl: url,
        clientId,
        clientSecret: secretOf(terminal, read, 'client_secret', 'client_secret_file'),
        pins: pinsOf(clientId),
        log,
        onWarning,
        ...options,
      })
    },
    passphrase,
    webhookSecret: () => {
      const isSet = read('webhook_secret') !== null || read('webhook_secret_file') !== null
      return isSet ? secretOf(terminal, read, 'webhook_secret', 'webhook_secret_file') : null
    },
    keyFile,
    key: () => ServiceKey.fromPem(keyFile(), passphrase()),
  }
}

/** In the home folder, so that runs in any folder share what they remember; without a home, in the current one. */
function pinsFolder(terminal: Terminal, read: Settings): string {
  const given = read('pins_folder')
  if (given !== null) return pathOf(terminal, given)
  return pathOf(terminal, join(terminal.environment['HOME'] ?? '.', '.sealpost', 'pins'))
}

/** The secret itself, or the content of its file without a final line break. */
function secretOf(terminal: Terminal, read: Settings, name: Setting, fileName: Setting): string {
  const given = read(name)
  if (given !== null) return given
  const file = read(fileName)
  if (file === null) return missing(name)
  return readSecret(terminal, file, settings[name].about)
}

function findFile(terminal: Terminal): string | null {
  const places = [join(terminal.folder, 'sealpost.json'), join(terminal.homeFolder, '.config/sealpost/config.json')]
  return places.find((place) => existsSync(place)) ?? null
}

function readFile(terminal: Terminal, path: string): ReadonlyMap<string, string> {
  const document = readJson(terminal, path, 'the configuration')
  warnIfOpen(terminal, path)
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    throw new CliError(`${path} must contain a JSON object`)
  }
  const found = new Map<string, string>()
  for (const [name, value] of Object.entries(document)) {
    if (!(name in settings)) throw new CliError(`${path} has ${name}, which is not a setting: see docs/cli.md`)
    if (typeof value !== 'string') throw new CliError(`${name} in ${path} must be a string`)
    found.set(name, value)
  }
  return found
}

function warnIfOpen(terminal: Terminal, path: string): void {
  const { mode } = statSync(pathOf(terminal, path))
  if ((mode & 0o077) !== 0)
    terminal.log(`note: ${path} is readable for other users of this machine; run chmod 600 ${path}`)
}

function missing(name: Setting): never {
  const { variable, about } = settings[name]
  throw new CliError(`${about} is missing: set ${variable}, or ${name} in sealpost.json`)
}
