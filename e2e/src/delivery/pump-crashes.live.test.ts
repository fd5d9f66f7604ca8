import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openWorld, scaled, seededRandom, waitUntil } from '@sealpost/testkit'
import { expect, test } from 'vitest'

const KILLS = 30
const PROGRAM = join(import.meta.dirname, 'pump-process.ts')
const folder = mkdtempSync(join(tmpdir(), 'pump-crashes-'))
const handled = join(folder, 'handled.txt')

const world = await openWorld()
const service = await world.service()
world.onEnd(() => Promise.resolve(rmSync(folder, { recursive: true, force: true })))

function startPump(isFollowing: boolean, store = 'store') {
  const env = {
    FRONT_DOOR: world.frontDoor.url,
    CLIENT_ID: service.client.clientId,
    CLIENT_SECRET: service.client.clientSecret,
    STORE: join(folder, store),
    HANDLED: handled,
    FOLLOW: isFollowing ? '1' : '0',
    NODE_COMPILE_CACHE: join(folder, 'compiled'),
  }
  return spawn(process.execPath, [PROGRAM], { env, stdio: ['ignore', 'pipe', 'pipe'] })
}

const append = (count: number): Promise<readonly string[]> =>
  service.append(...Array.from({ length: count }, () => ({})))

const linesOf = (file: string): readonly string[] =>
  existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []

function waitForGrowth(before: number, lines: number): Promise<void> {
  return waitUntil('some changes are handled', 30_000, () => linesOf(handled).length >= before + lines)
}

test(
  `a pump killed ${KILLS} times at random handles every change in order, and repeats only changes whose handling a kill interrupted [SDK-08]`,
  { timeout: scaled(80_000) },
  async () => {
    // The compile cache is written at a normal exit, not at a kill; with it the next processes start four times as fast.
    expect(await once(startPump(false, 'first-store'), 'exit')).toEqual([0, null])
    const random = seededRandom(6)
    const appended: string[] = []
    let midway = 0
    for (let kill = 0; kill < KILLS; kill += 1) {
      appended.push(...(await append(60)))
      const before = linesOf(handled).length
      const child = startPump(true)
      const gone = once(child, 'exit')
      await once(child.stdout, 'data')
      const chance = (random.bytes(1)[0] ?? 0) / 256
      // Every second kill after some changes were handled, the others during the start.
      if (kill % 2 === 0) await waitForGrowth(before, 1 + chance * 25)
      setTimeout(() => child.kill('SIGKILL'), chance * (kill % 2 === 0 ? 10 : 300))
      expect(await gone).toEqual([null, 'SIGKILL'])
      const now = linesOf(handled).length
      if (now > before && now < appended.length) midway += 1
    }
    const last = startPump(false)
    expect(await once(last, 'exit')).toEqual([0, null])

    const lines = linesOf(handled)
    const repeated = lines.length - new Set(lines).size
    console.log(
      `${appended.length} changes, ${KILLS} kills (${midway} in the midst of work), ${repeated} handled twice`,
    )
    expect([...new Set(lines)]).toEqual(appended)
    expect(repeated).toBeLessThanOrEqual(KILLS)
    expect(midway).toBeGreaterThan(KILLS / 4)
  },
)

test('a second process is refused the store of a running one, with the id of its process', async () => {
  const first = startPump(true)
  const gone = once(first, 'exit')
  try {
    const known = linesOf(handled).length
    const [id] = await append(1)
    await expect.poll(() => linesOf(handled).slice(known), { timeout: scaled(20_000) }).toEqual([id])
    const second = startPump(false)
    let said = ''
    second.stderr.on('data', (text: Buffer) => (said += text.toString()))
    expect(await once(second, 'exit')).toEqual([1, null])
    expect(said).toContain(`StoreError: the store ${join(folder, 'store')} is in use by process ${first.pid}`)
  } finally {
    first.kill('SIGKILL')
    await gone
  }
})
