import type { AccountClient, ClientOptions, ServiceClient, ServiceKey } from '@sealpost/sdk'
import type { Terminal } from './terminal.ts'

/** An option, as `--name` or `--name VALUE`. */
export interface Option {
  readonly type: 'boolean' | 'string'
  /** How its value is named in the help. */
  readonly value?: string
  readonly about: string
}

export interface Command {
  /** The words that call it: `['services', 'create']`. */
  readonly words: readonly string[]
  readonly summary: string
  /** More than one line, shown by `--help`. */
  readonly about?: string
  /** Names of what follows the words; a name in brackets may be left out. */
  readonly positionals: readonly string[]
  readonly options: Readonly<Record<string, Option>>
  readonly run: (context: Context, given: Given) => Promise<void>
}

/** What the user gave. */
export interface Given {
  readonly positionals: readonly string[]
  /** Empty where the option was left out. */
  readonly text: (option: string) => string | null
  readonly flag: (option: string) => boolean
}

/** Clients are made when a command asks for one: only then must its credentials be there. */
export interface Context {
  readonly terminal: Terminal
  readonly isJson: boolean
  readonly account: () => AccountClient
  readonly service: (options?: ClientOptions) => ServiceClient
  /** Of the service's key, from the configuration. */
  readonly passphrase: () => string
  /** What `listen` and `trigger` sign with; null when nothing is set. */
  readonly webhookSecret: () => string | null
  /** The encrypted private key, as the file holds it. */
  readonly keyFile: () => string
  /** From the key file and the passphrase of the configuration. */
  readonly key: () => Promise<ServiceKey>
}

/** Every command has these. */
export const commonOptions = {
  json: { type: 'boolean', about: 'Print JSON, one document per line' },
  config: { type: 'string', value: 'FILE', about: 'Read this file instead of sealpost.json' },
  help: { type: 'boolean', about: 'Show this' },
} as const satisfies Readonly<Record<string, Option>>
