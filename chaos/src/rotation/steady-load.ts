import { harborline, mara, northwind, waitUntil } from '@sealpost/testkit'
import { type ClientLife, liveAsClient, liveAsUser } from './lives.ts'
import type { Counts, Run } from './run.ts'

/** Callers who do nothing wrong, at a rate that leaves the machine room for restarts. */
export interface SteadyLoad {
  readonly run: Run
  /** The token that a client has used since it started or since all were renewed. */
  anyToken(): Promise<ClientLife>
  /** Every client takes a new token; resolves when the old ones are out of use. */
  renewTokens(): Promise<void>
  end(): Promise<void>
}

const CLIENTS = 8
const DEADLINE_MS = 30_000

export function startSteadyLoad(frontDoorUrl: string): SteadyLoad {
  const counts: Counts = { tokens: 0, data_calls: 0, logins: 0, refreshes: 0, retried: 0, refused: 0, lost: 0 }
  const run: Run = { frontDoorUrl, counts, generation: 0, isEnding: false }
  const clients = Array.from({ length: CLIENTS }, (_, number): ClientLife => {
    const company = number % 2 === 0 ? northwind : harborline
    return { company, token: null, generation: -1 }
  })
  const users = [northwind, harborline, mara]
  const running = Promise.all([
    ...clients.map((client) => liveAsClient(run, client)),
    ...users.map((user) => liveAsUser(run, user)),
  ])
  const haveRenewed = () => clients.every(({ generation, token }) => generation === run.generation && token !== null)
  return {
    run,
    async anyToken() {
      await waitUntil('every client has a token', DEADLINE_MS, haveRenewed)
      const [first] = clients
      if (first === undefined) throw new Error('there is no client')
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
