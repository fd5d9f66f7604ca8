import { expect, onTestFinished, test } from 'vitest'
import { getRequest, openTestEgress, startHttp, type TestServer } from './test-server.ts'

const MEBIBYTE = 1_048_576

async function serveBytes(bytes: number): Promise<TestServer> {
  const server = await startHttp((_request, response) => {
    let left = bytes
    const write = (): void => {
      while (left > 0) {
        left -= 65_536
        if (!response.write(Buffer.alloc(65_536))) return
      }
      response.end()
    }
    response.on('drain', write)
    write()
  })
  onTestFinished(() => server.close())
  return server
}

test('a large answer can be read as it arrives', async () => {
  const server = await serveBytes(16 * MEBIBYTE)
  const request = getRequest(server.url, { maxResponseBytes: 16 * MEBIBYTE })
  const result = await openTestEgress().stream(request, async ({ body }) => {
    let seen = 0
    for await (const chunk of body) seen += chunk.byteLength
    return seen
  })
  expect(result).toEqual({ ok: true, value: 16 * MEBIBYTE })
})

test('a receiver that ignores a broken answer does not turn it into a success', async () => {
  const server = await serveBytes(MEBIBYTE)
  const result = await openTestEgress().stream(
    getRequest(server.url, { maxResponseBytes: 1_000 }),
    async ({ body }) => {
      try {
        for await (const chunk of body) expect(chunk.byteLength).toBeGreaterThan(0)
      } catch {
        return 'fine'
      }
      return 'complete'
    },
  )
  expect(result).toMatchObject({ ok: false, refusal: { kind: 'too_large' } })
})

test('an error of the receiver is rethrown, and the connection closed', async () => {
  const server = await serveBytes(MEBIBYTE)
  const streaming = openTestEgress().stream(getRequest(server.url), async () => {
    throw new Error('no room left')
  })
  await expect(streaming).rejects.toThrow('no room left')
  await expect.poll(() => server.openSockets()).toBe(0)
})

test('a connection whose answer was not read is not used again', async () => {
  const server = await serveBytes(MEBIBYTE)
  const egress = openTestEgress()
  for (let call = 1; call <= 2; call += 1) {
    const result = await egress.stream(getRequest(server.url), async ({ status }) => status)
    expect(result).toEqual({ ok: true, value: 200 })
    expect(server.sockets).toHaveLength(call)
  }
})
