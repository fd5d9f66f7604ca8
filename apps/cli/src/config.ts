import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { AccountClient, type ClientOptions, ServiceClient, ServiceKey } from '@sealpost/sdk'
import { filePins } from '@sealpost/sdk/file-store'
import type { AccountAccess, Context } from './command.ts'
import { pathOf, readJson, readSecret, readText } from './files.ts'
import { accessOf } from './login/access.ts'
import { type Login, type Logins, openLogins } from './login/logins.ts'
import { type Setting, settings, type Settings } from './settings.ts'
import { CliError, type Terminal } from './terminal.ts'

/** The file that the settings come from; null when there is none. */
export function settingsFile(terminal: Terminal, givenPath: string | null): string | null {
  return givenPath ?? terminal.environment['SEALPOST_CONFIG'] ?? findFile(terminal)
}

/** No setting is required until a command reads it. */
export function readSettings(terminal: Terminal, givenPath: string | null): Settings {
  const path = settingsFile(terminal, givenPath)
  const file = path === null ? new Map<string, string>() : readFile(terminal, path)
  return (name) => terminal.environment[settings[name].variable] ?? file.get(name) ?? null
}

export async function openContext(terminal: Terminal, isJson: boolean, read: Settings): Promise<Context> {
  const logins = openLogins(terminal)
  const present = await logins.list()
  const knownFrontDoor = (): string | null => read('front_door') ?? onlyFrontDoor(present)
  const frontDoorUrl = (): string => knownFrontDoor() ?? missing('front_door')
  const passphrase = (): string => secretOf(terminal, read, 'passphrase', 'passphrase_file')
  const keyFile = (): string => readText(terminal, read('key_file') ?? missing('key_file'), 'the private key')
  return {
    terminal,
    isJson,
    setting: read,
    logins,
    knownFrontDoor,
    frontDoorUrl,
    ...accountPart({ terminal, read, frontDoorUrl, logins, present }),
    service(options = {}) {
      const url = frontDoorUrl()
      const clientId = read('client_id') ?? missing('client_id')
      const clientSecret = secretOf(terminal, read, 'client_secret', 'client_secret_file')
      return new ServiceClient({
        frontDoorUrl: url,
        clientId,
        clientSecret,
        ...manners(terminal, read, clientId),
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

interface AccountParts {
  readonly terminal: Terminal
  readonly read: Settings
  readonly frontDoorUrl: () => string
  readonly logins: Logins
  /** When the command started. */
  readonly present: readonly Login[]
}

/** The account client of the settings takes precedence over the login. */
function accountPart(parts: AccountParts): Pick<Context, 'account' | 'accountOf' | 'accountAccess'> {
  const { terminal, read, frontDoorUrl, logins, present } = parts
  const loginAt = (door: string): Login | undefined => present.find((login) => login.front_door === cleanAddress(door))
  const accountAccess = (door?: string): AccountAccess => {
    if (read('account_client_id') !== null) return 'client'
    return loginAt(door ?? frontDoorUrl()) === undefined ? 'none' : 'login'
  }
  const accountOf = (login: Login): AccountClient => {
    const accessToken = accessOf(terminal, logins, login.front_door)
    return new AccountClient({ accessToken, ...manners(terminal, read, login.account_id) })
  }
  return {
    accountAccess,
    accountOf,
    account() {
      const url = frontDoorUrl()
      const login = accountAccess() === 'login' ? loginAt(url) : undefined
      if (login !== undefined) return accountOf(login)
      const clientId = read('account_client_id') ?? notLoggedIn()
      const clientSecret = secretOf(terminal, read, 'account_client_secret', 'account_client_secret_file')
      return new AccountClient({ frontDoorUrl: url, clientId, clientSecret, ...manners(terminal, read, clientId) })
    },
  }
}

/** What all clients have: their pins, and where their waits and warnings are printed. */
function manners(terminal: Terminal, read: Settings, name: string): Pick<ClientOptions, 'pins' | 'log' | 'onWarning'> {
  return {
    pins: filePins(join(pinsFolder(terminal, read), name)),
    log(event) {
      if (event.kind === 'waiting') terminal.log(`waiting ${event.seconds} s (${event.reason})`)
    },
    onWarning: ({ method, address, message }) => terminal.log(`warning: ${method} ${address}: ${message}`),
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

/** Without the final slash, so that a login is found by its front door. */
export function cleanAddress(url: string): string {
  return url.replace(/\/+$/, '')
}

function onlyFrontDoor(logins: readonly Login[]): string | null {
  return logins.length === 1 ? (logins[0]?.front_door ?? null) : null
}

function notLoggedIn(): never {
  const { variable } = settings.account_client_id
  throw new CliError(`not logged in: run sealpost login, or set ${variable}, or account_client_id in sealpost.json`)
}

function missing(name: Setting): never {
  const { variable, about } = settings[name]
  throw new CliError(`${about} is missing: set ${variable}, or ${name} in sealpost.json`)
}
