/** The instructions of the load programs, passed as JSON in the variable `FAIRNESS_PLAN`. */
export interface NeighboursPlan {
  readonly frontDoorUrl: string
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

export interface NeighboursReport {
  /** Milliseconds from the due time of a call to the end of its answer. */
  readonly latencies: readonly number[]
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

export function readPlan<Plan>(): Plan {
  const text = process.env['FAIRNESS_PLAN']
  if (text === undefined) throw new Error('FAIRNESS_PLAN is not set: this program is started by `npm run chaos`')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by startProgram from this type
  return JSON.parse(text) as Plan
}
