import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { isAlive } from '../engines/index.ts'
import { isPortFree } from '../engines/ports.ts'
import { freeAddresses, startInstallation } from './installation.ts'

test('a port that another process uses is refused with a sentence, and everything that had started is ended', async () => {
  const addresses = await freeAddresses()
  await listenAt(addresses.us.port)
  const before = childrenOf(process.pid)
  const starting = startInstallation({ addresses })
  await expect(starting).rejects.toThrow(`region us cannot listen at http://127.0.0.1:${addresses.us.port}`)
  expect(childrenOf(process.pid)).toEqual(before)
  for (const { port, internalPort } of [addresses.frontDoor, addresses.eu])
    expect([await isPortFree(port), await isPortFree(internalPort)]).toEqual([true, true])
})

test('an app that does not start says why, and nothing is left of the others', async () => {
  const before = childrenOf(process.pid)
  await expect(startInstallation({ settings: { LOG_LEVEL: 'odd' } })).rejects.toThrow('LOG_LEVEL: "odd" is not one of')
  expect(childrenOf(process.pid)).toEqual(before)
})

test('a watched app ends with its watcher, whether that is told to end or killed', async () => {
  const installation = await startInstallation({ watch: true })
  onTestFinished(() => installation.stop())
  for (const [app, act] of [
    [installation.eu, 'kill'],
    [installation.us, 'stop'],
  ] as const) {
    const watched = childrenOf(app.pid())
    expect(watched).toHaveLength(1)
    await app[act]()
    await expect.poll(() => watched.some(isAlive)).toBe(false)
  }
})

async function listenAt(port: number): Promise<void> {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
}

function childrenOf(pid: number): readonly number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return text === '' ? [] : text.split(' ').map(Number)
}
