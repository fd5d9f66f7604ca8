import { setTimeout as pause } from 'node:timers/promises'
import { seedConnection } from '../connections/rows.ts'
import type { Site } from '../connections/site.ts'

/** Calls that continue during the removal: reads, and deletions of connections. */
export interface BackgroundCalls {
  /** Durations since the last call of `take`, in milliseconds. */
  take(): { readonly ms: readonly number[]; readonly failures: number }
  /** Connections deleted so far. */
  deletedConnections(): number
  end(): Promise<void>
}

const READERS = 3
const READ_PAUSE_MS = 5
const WRITE_PAUSE_MS = 100

export function startBackgroundCalls(
  site: Site,
  { family, connections }: { family: number; connections: number },
): BackgroundCalls {
  let ms: number[] = []
  let failures = 0
  let deleted = 0
  const run = { isEnding: false }
  const timed = async (work: () => Promise<unknown>): Promise<boolean> => {
    const startedAt = performance.now()
    try {
      await work()
      return true
    } catch (error) {
      failures += 1
      console.error(error)
      return false
    } finally {
      ms.push(performance.now() - startedAt)
    }
  }
  const pathOf = (number: number): string => `/api/company-data/connections/${seedConnection(family, number).id}`
  const read = async (): Promise<void> => {
    while (!run.isEnding) {
      // The writer deletes connections of the second half.
      await timed(() => site.call('GET', pathOf(Math.floor((Math.random() * connections) / 2))))
      await timed(() => site.call('GET', '/api/company-data/whoami'))
      await pause(READ_PAUSE_MS)
    }
  }
  const write = async (): Promise<void> => {
    for (let number = connections - 1; !run.isEnding && number > connections / 2; number -= 1) {
      if (await timed(() => site.call('DELETE', pathOf(number)))) deleted += 1
      await pause(WRITE_PAUSE_MS)
    }
  }
  const running = Promise.all([...Array.from({ length: READERS }, read), write()])
  return {
    take() {
      const taken = { ms, failures }
      ms = []
      failures = 0
      return taken
    },
    deletedConnections: () => deleted,
    async end() {
      run.isEnding = true
      await running
    },
  }
}
