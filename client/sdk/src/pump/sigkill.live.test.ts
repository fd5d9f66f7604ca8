import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'

const PROGRAM = fileURLToPath(new URL('../../test/mortal-pump.ts', import.meta.url))
const run = promisify(execFile)
const IDS = Array.from({ length: 30 }, (_, at) => `e${at}`)
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mortal-pump-'))
  writeFileSync(join(folder, 'feed.json'), JSON.stringify({ queue: IDS.map((id) => ({ id })), pages: {} }))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const handled = (): readonly string[] => readFileSync(join(folder, 'seen.txt'), 'utf8').split('\n').filter(Boolean)

/** Null when it ended normally. */
async function live(dieAt: number): Promise<string | null> {
  try {
    const env = { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compiled') }
    await run(process.execPath, [PROGRAM, folder, String(dieAt)], { env })
    return null
  } catch (error) {
    return error instanceof Error && 'signal' in error ? String(error.signal) : String(error)
  }
}

test('processes killed at each step in turn handle every change, and first times are in order [SDK-08]', async () => {
  let deaths = 0
  for (let end = await live(1); end !== null; end = await live(deaths + 1)) {
    expect(end).toBe('SIGKILL')
    deaths += 1
  }
  expect(deaths).toBeGreaterThan(15)
  expect([...new Set(handled())]).toEqual(IDS)
  // A process that died between the handler and its record handles the change again.
  expect(handled().length - IDS.length).toBeLessThanOrEqual(deaths)
})
