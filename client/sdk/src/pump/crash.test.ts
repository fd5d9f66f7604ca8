import { expect, test } from 'vitest'
import { fragileStore, type StubChange, stubFeed } from '../../test/stub-feed.ts'
import { type LineStore, memoryStore } from './line-store.ts'
import { ChangePump } from './pump.ts'

const IDS = Array.from({ length: 23 }, (_, at) => `e${at}`)

class Crash extends Error {}

/** Counts the points at which a process can die, and dies at the chosen one. */
function mortal(dieAt: number): { readonly step: () => void; readonly isOver: () => boolean } {
  let steps = 0
  return {
    step() {
      steps += 1
      if (steps === dieAt) throw new Crash('the process is gone')
    },
    isOver: () => steps < dieAt,
  }
}

async function handleAll(store: LineStore, feed: ReturnType<typeof stubFeed>, seen: string[], die: () => void) {
  const handle = ({ id }: StubChange): void => {
    die()
    seen.push(id)
    die()
  }
  // An error of the handler is its own failure; a dead process fails everywhere.
  const pump = new ChangePump(feed, { store, handle, limit: 5, maxFailures: 1, onDeadLetter: rethrow })
  return pump.run()
}

function rethrow(): never {
  throw new Crash('the process is gone')
}

test.each([0, 0.5])(
  'a process that dies at any point, with %d of a line written, loses no change, and first times are in order [SDK-08]',
  async (torn) => {
    let dieAt = 1
    for (let isOver = false; !isOver; dieAt += 1) {
      const life = mortal(dieAt)
      let isDead = false
      const step = (): void => {
        if (isDead) throw new Crash('the process is gone')
        try {
          life.step()
        } catch (error) {
          isDead = true
          throw error
        }
      }
      const inner = memoryStore()
      let isSecond = false
      const feed = stubFeed(IDS, () => {
        if (!isSecond) step()
      })
      const seen: string[] = []
      await handleAll(fragileStore(inner, step, torn), feed, seen, step).catch((error: unknown) => {
        if (!(error instanceof Crash)) throw error
      })
      isSecond = true
      const before = [...seen]
      await handleAll(inner, feed, seen, () => {})

      expect([...new Set(seen)], `died at ${dieAt}`).toEqual(IDS)
      expect(seen.length - IDS.length, `died at ${dieAt}`).toBeLessThanOrEqual(1)
      expect(seen.slice(before.length).length).toBeGreaterThanOrEqual(IDS.length - before.length)
      isOver = life.isOver()
    }
    expect(dieAt).toBeGreaterThan(80)
  },
)
