import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { listenerAt } from './listener.ts'

test.runIf(process.platform === 'linux').each(['127.0.0.1', '0.0.0.0'])(
  'a process that listens at %s is told from others',
  async (host) => {
    const server = createServer().listen(0, host)
    await once(server, 'listening')
    // A server that was asked for an IP address has one.
    const { port } = server.address() as AddressInfo
    expect(listenerAt(port, process.pid)).toBe('own')
    expect(listenerAt(port, process.ppid)).toBe('foreign')
    server.close()
    await once(server, 'close')
    expect(listenerAt(port, process.pid)).toBe('none')
  },
)

test('a process that has ended listens nowhere that is known', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  expect(listenerAt((server.address() as AddressInfo).port, 2 ** 22 + 1)).toBe('unknown')
  server.close()
})
