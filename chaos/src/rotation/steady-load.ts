import { harborline, mara, northwind, waitUntil } from '@sealpost/testkit'
import { type LoadClient, runClient, runUser } from './callers.ts'
import type { Counts, Run } from './run.ts'

/** Valid calls at a rate that leaves the machine room for restarts. */
export interface SteadyLoad {
  readonly run: Run
  /** The token that a client has kept since it started or since `renewTokens`. */
  anyToken(): Promise<LoadClient>
  /** Every client takes a new token; resolves when no old one is used any more. */
  renewTokens(): Promise<void>
  end(): Promise<void>
}

const CLIENTS = 8
const DEADLINE_MS = 30_000

export function startSteadyLoad(frontDoorUrl: string): SteadyLoad {
  const counts: Counts = { tokens: 0, data_calls: 0, logins: 0, refreshes: 0, retried: 0, refused: 0, lost: 0 }
  const run: Run = { frontDoorUrl, counts, generation: 0, isEnding: false }
  const clients = Array.from({ length: CLIENTS }, (_, number): LoadClient => {
    const company = number % 2 === 0 ? northwind : harborline
    return { company, token: null, generation: -1 }
  })
  const users = [northwind, harborline, mara]
  const running = Promise.all([
    ...clients.map((client) => runClient(run, client)),
    ...users.map((user) => runUser(run, user)),
  ])
  const haveRenewed = () => clients.every(({ generation, token }) => generation === run.generation && token !== null)
  return {
    run,
    async anyToken() {
      await waitUntil('every client has a token', DEADLINE_MS, haveRenewed)
      const [first] = clients
      if (first === undefined) throw new Error('no client')
      return { ...first }
    },
    async renewTokens() {
      run.generation += 1
      await waitUntil('every client has a new token', DEADLINE_MS, haveRenewed)
    },
    async end() {
      run.isEnding = true
      await running
    },
  }
}
