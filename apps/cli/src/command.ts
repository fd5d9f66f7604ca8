import type { AccountClient, ClientOptions, ServiceClient, ServiceKey } from '@sealpost/sdk'
import type { Login, Logins } from './login/logins.ts'
import type { Settings } from './settings.ts'
import type { Terminal } from './terminal.ts'

/** An option, as `--name` or `--name VALUE`. */
export interface Option {
  readonly type: 'boolean' | 'string'
  /** The name of its value in the help. */
  readonly value?: string
  /** May be given several times; read with `texts`. */
  readonly isRepeatable?: true
  readonly about: string
}

export interface Command {
  /** The words that call it: `['services', 'create']`. */
  readonly words: readonly string[]
  readonly summary: string
  /** What `--json` prints: one document, or one per line for lists and for commands that report while they run. */
  readonly json: 'document' | 'lines'
  /** Further lines for `--help`. */
  readonly about?: string
  /** Names of the arguments after the words; one in brackets is optional. */
  readonly positionals: readonly string[]
  readonly options: Readonly<Record<string, Option>>
  readonly run: (context: Context, given: Given) => Promise<void>
}

/** The arguments of this call. */
export interface Given {
  readonly positionals: readonly string[]
  /** Null when the option was left out. */
  readonly text: (option: string) => string | null
  /** All values of a repeatable option. */
  readonly texts: (option: string) => readonly string[]
  readonly flag: (option: string) => boolean
}

/** An account client `acct_…`, or the login of a company user; `none`: neither is set. */
export type AccountAccess = 'client' | 'login' | 'none'

/** Clients are created on demand: their credentials are required only then. */
export interface Context {
  readonly terminal: Terminal
  readonly isJson: boolean
  /** The value of a setting, null when it is not set. */
  readonly setting: Settings
  readonly logins: Logins
  /** Of the settings, or of the only login; null without either. */
  readonly knownFrontDoor: () => string | null
  /** The same, required. */
  readonly frontDoorUrl: () => string
  /** The account client of the settings, or the login. */
  readonly account: () => AccountClient
  readonly accountOf: (login: Login) => AccountClient
  /** How `account` authenticates. */
  readonly accountAccess: (frontDoor?: string) => AccountAccess
  readonly service: (options?: ClientOptions) => ServiceClient
  /** The passphrase of the service's key, from the configuration. */
  readonly passphrase: () => string
  /** The secret with which `listen` and `trigger` sign; null when none is set. */
  readonly webhookSecret: () => string | null
  /** The content of the key file: the encrypted private key. */
  readonly keyFile: () => string
  readonly key: () => Promise<ServiceKey>
}

/** Options of every command. */
export const commonOptions = {
  json: { type: 'boolean', about: 'Print JSON' },
  config: { type: 'string', value: 'FILE', about: 'Read this file instead of sealpost.json' },
  help: { type: 'boolean', about: 'Print this help' },
} as const satisfies Readonly<Record<string, Option>>
