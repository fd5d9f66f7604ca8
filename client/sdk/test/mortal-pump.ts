import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { fileStore } from '../src/file-store/index.ts'
import type { LineStore } from '../src/pump/line-store.ts'
import type { PumpSource } from '../src/pump/pump-source.ts'
import { ChangePump } from '../src/pump/pump.ts'
import { fragileStore, type StubChange } from './stub-feed.ts'
import { wrappedStore } from './wrapped-store.ts'

/** `node mortal-pump.ts FOLDER STEP`: a pump on a file store that kills itself with SIGKILL at that step. */
const [folder = '', dieAt = ''] = process.argv.slice(2)
let steps = 0

function step(): void {
  steps += 1
  if (steps === Number(dieAt)) process.kill(process.pid, 'SIGKILL')
}

/** The feed outlives the process: drained changes are removed, and a repeated attempt returns its page. */
function keptFeed(): PumpSource<StubChange> {
  const file = join(folder, 'feed.json')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by the test and by this program only
  const world = JSON.parse(readFileSync(file, 'utf8')) as { queue: StubChange[]; pages: Record<string, StubChange[]> }
  return {
    feed: 'service',
    owner: () => Promise.resolve('service s'),
    now: () => 0,
    wait: () => Promise.resolve(),
    readPage(attemptId, { limit }) {
      step()
      const changes = world.pages[attemptId] ?? world.queue.splice(0, limit)
      world.pages[attemptId] = changes
      writeFileSync(file, JSON.stringify(world))
      step()
      return Promise.resolve({ changes, has_more: world.queue.length > 0 })
    },
  }
}

function stepping(store: LineStore): LineStore {
  const written = wrappedStore(fragileStore(store, step), (hold) => ({
    ...hold,
    async append(line, isDurable) {
      step()
      // Half a line, as a process leaves it that dies while writing.
      if (steps + 1 === Number(dieAt)) appendFileSync(join(folder, 'store', 'journal.jsonl'), line.slice(0, 9))
      await hold.append(line, isDurable)
    },
  }))
  return {
    ...written,
    async acquire() {
      step()
      const taken = await written.acquire()
      step()
      return taken
    },
  }
}

// A process that is killed would leave the next one to compile all of it again.
flushCompileCache()
const seen = join(folder, 'seen.txt')
if (!existsSync(seen)) writeFileSync(seen, '')
const pump = new ChangePump(keptFeed(), {
  store: stepping(fileStore(join(folder, 'store'))),
  limit: 4,
  handle({ id }) {
    step()
    appendFileSync(seen, `${id}\n`)
    step()
  },
})
await pump.run()
