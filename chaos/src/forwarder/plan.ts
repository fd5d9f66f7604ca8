import { programFile } from '../load-program.ts'

/** The behaviours of hostile plugins. */
export const KINDS = [
  'huge',
  'slow',
  'endless',
  'malformed',
  'redirecting',
  'wrong-key',
  'replaying',
  'manifest',
  'rebinding',
] as const
export type Kind = (typeof KINDS)[number]

export const CALLERS_PROGRAM = programFile<CallersPlan, CallersReport>('callers-program.ts', import.meta.url)
export const HOSTILE_PROGRAM = programFile<HostilePlan, HostileReport>('hostile-program.ts', import.meta.url)
export const SERVERS_PROGRAM = programFile<ServersPlan, ServersReport>('servers-program.ts', import.meta.url)
export const FORWARDER_PROGRAM = new URL('forwarder-program.ts', import.meta.url)

/** An ordinary public address: the dialer of the forwarder leads it to the servers of the run. */
export const PUBLIC_ADDRESS = '93.184.216.34'
export const PRIVATE_ADDRESS = '10.0.0.7'

export function hostOf(plugin: string): string {
  return `${plugin}.plugins.example`
}

/** The behaviour of the plugin with this host; null for one that answers as it should. */
export function kindOf(host: string): Kind | null {
  return KINDS.find((kind) => host.startsWith(`${kind}-`)) ?? null
}

export interface CallersPlan {
  readonly url: string
  readonly pass: string
  readonly request: string
  readonly plugins: readonly string[]
  readonly callsPerPlugin: number
  readonly perSecond: number
}

export interface CallersReport {
  /** Milliseconds from the due time of a call to the end of its answer. */
  readonly latencies: readonly number[]
  /** Calls without a success, by status; 0 for a broken connection. */
  readonly failures: Readonly<Record<string, number>>
}

export interface HostilePlugin {
  readonly kind: Kind
  readonly id: string
}

export interface HostilePlan {
  readonly url: string
  readonly registryUrl: string
  readonly pass: string
  readonly registryPass: string
  readonly request: string
  readonly plugins: readonly HostilePlugin[]
}

/** Answers by kind and status. */
export type HostileReport = Readonly<Record<string, number>>

export interface ServersPlan {
  readonly role: 'honest' | 'hostile'
  readonly port: number
  readonly certificate: string
  readonly key: string
  readonly reply: string
  /** Sealed to a key that no caller has. */
  readonly foreignReply: string
}

/** Requests by the behaviour of the plugin that they were for. */
export type ServersReport = Readonly<Record<string, number>>

/** Given to the forwarder in the variable `ROUTE`. */
export interface RoutePlan {
  readonly authority: string
  readonly honestPort: number
  readonly hostilePort: number
}
