import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { createSandbox, findSandbox, type Layer } from '@sealpost/process/sandbox'
import { scaled } from '@sealpost/testkit/slowness'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openImages } from '../index.ts'
import { jpegOf } from '../testing/index.ts'

const MAX = { maxBytes: 1_048_576 }

/** In the place of a region: a process with a secret among its settings. */
let region: ChildProcess

beforeAll(async () => {
  region = spawn('/bin/sleep', ['600'], { env: { DATA_KEY: 'planted-secret' }, stdio: 'ignore' })
  await once(region, 'spawn')
})
afterAll(async () => {
  const ended = once(region, 'exit')
  region.kill('SIGKILL')
  await ended
})

const { layers } = await findSandbox('/bin/true', [])

const environ = (): string => `/proc/${region.pid}/environ`

async function outputOf(behind: readonly Layer[], command: string, ...args: readonly string[]): Promise<string> {
  const child = createSandbox(behind).start(command, args, { env: {}, stdio: ['ignore', 'pipe', 'ignore'] })
  if (child.stdout === null) throw new Error('the output is not piped')
  return text(child.stdout)
}

test('without layers a decoder of the same user reads the settings of its region', async () => {
  expect(await outputOf([], '/bin/cat', environ())).toContain('planted-secret')
})

test.skipIf(layers.length === 0)('the sandbox of this machine hides them', async () => {
  expect(await outputOf(layers, '/bin/cat', environ())).toBe('')
})

describe.skipIf(!layers.includes('namespace'))('a namespace', () => {
  test('has neither the processes nor the network of the region', async () => {
    const own = await outputOf(layers, '/bin/sh', '-c', 'cd /proc; echo [0-9]*')
    expect(own.trim().split(' ').length).toBeLessThan(4)
    const devices = await outputOf(layers, '/bin/cat', '/proc/net/dev')
    expect(devices.match(/^\s*\w+:/gm)?.map((name) => name.trim())).toEqual(['lo:'])
  })

  test('ends with the process that was started', async () => {
    const child = createSandbox(layers).start('/bin/cat', [], { env: {}, stdio: ['pipe', 'pipe', 'ignore'] })
    await once(child, 'spawn')
    child.kill('SIGKILL')
    await once(child, 'close')
    expect(child.signalCode).toBe('SIGKILL')
  })
})

test('a program that cannot start in a layer is found without it', async () => {
  expect((await findSandbox('/bin/false', [])).layers).toEqual([])
})

test('the decoder runs behind the layers of this machine, and says so once', async () => {
  const found: (readonly Layer[])[] = []
  const images = openImages({ timeLimitMs: scaled(20_000), onSandbox: (seen) => found.push(seen) })
  const photos = await Promise.all([jpegOf(10, 10), jpegOf(20, 10)].map((photo) => images.redrawPhoto(photo, MAX)))
  expect(photos.map(({ ok }) => ok)).toEqual([true, true])
  expect(found).toEqual([layers])
})
