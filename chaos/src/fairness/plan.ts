import { programFile } from '../load-program.ts'

export const NEIGHBOURS_PROGRAM = programFile<NeighboursPlan, NeighboursReport>(
  'neighbours-program.ts',
  import.meta.url,
)
export const HOSTILE_PROGRAM = programFile<HostilePlan, HostileReport>('hostile-program.ts', import.meta.url)

export const BARE_PROGRAM = programFile<BarePlan, BareReport>('bare-program.ts', import.meta.url)

export interface BarePlan {
  readonly databaseUrl: string
}

export interface BareReport {
  readonly url: string
}

/** The instructions of the load programs. */
export interface NeighboursPlan {
  readonly frontDoorUrl: string
  /** Of the server without the product. */
  readonly bareUrl: string | null
  readonly apiUrl: string
  readonly tenants: readonly Neighbour[]
  readonly callsPerTenant: number
  readonly perSecond: number
  readonly login: { readonly email: string; readonly authVerifier: string; readonly everyMs: number }
}

export interface Neighbour {
  readonly dataToken: string
  readonly portalToken: string
  readonly connectionId: string
}

export type CallKind = 'connection' | 'token' | 'account' | 'write'

export interface NeighboursReport {
  /** Milliseconds from the due time of a call to the end of its answer, by the kind of call. */
  readonly latencies: Readonly<Record<CallKind, readonly number[]>>
  /** The same of calls of the server without the product. */
  readonly bare: readonly number[]
  /** Calls without a success, by status; 0 for a broken connection. */
  readonly failures: Readonly<Record<string, number>>
  readonly logins: number
  readonly loginsRefused: number
}

export interface HostilePlan {
  readonly apiUrl: string
  readonly dataToken: string
  readonly portalToken: string
  /** A file of the tenant, larger than the buffers of a connection. */
  readonly fileFieldId: string
  readonly configToken: string
  readonly bodyBytes: number
  readonly callsInFlight: number
  readonly bodiesInFlight: number
  readonly pagesInFlight: number
  readonly unreadDownloads: number
  readonly slowReaders: number
  readonly halfOpen: number
}

/** What the hostile tenant has done: answers by activity and status, and connections that it opened. */
export type HostileReport = Readonly<Record<string, number>>
