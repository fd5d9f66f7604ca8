import { setTimeout as pause } from 'node:timers/promises'
import { seedConnection } from '../connections/rows.ts'
import type { Site } from '../connections/site.ts'

/** Callers who go on with their work: reads, a page of the list, now and then the end of a connection. */
export interface Others {
  /** The durations since the last time, in milliseconds. */
  take(): { readonly ms: readonly number[]; readonly failures: number }
  /** How many connections they have ended so far. */
  endedConnections(): number
  end(): Promise<void>
}

const READERS = 3
const READ_PAUSE_MS = 5
const WRITE_PAUSE_MS = 100

export function startOthers(site: Site, { family, connections }: { family: number; connections: number }): Others {
  let ms: number[] = []
  let failures = 0
  let ended = 0
  const run = { isEnding: false }
  const timed = async (act: () => Promise<unknown>): Promise<boolean> => {
    const startedAt = performance.now()
    try {
      await act()
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
      // Those at the end are ended meanwhile by the writer.
      await timed(() => site.call('GET', pathOf(Math.floor((Math.random() * connections) / 2))))
      await timed(() => site.call('GET', '/api/company-data/whoami'))
      await pause(READ_PAUSE_MS)
    }
  }
  const write = async (): Promise<void> => {
    for (let number = connections - 1; !run.isEnding && number > connections / 2; number -= 1) {
      if (await timed(() => site.call('DELETE', pathOf(number)))) ended += 1
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
    endedConnections: () => ended,
    async end() {
      run.isEnding = true
      await running
    },
  }
}
