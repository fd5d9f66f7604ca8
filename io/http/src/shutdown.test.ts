import { Agent, get } from 'node:http'
import { expect, test } from 'vitest'
import { startTestServer } from './testing/server.ts'

test('closing waits for a request in flight, then ends the connection', async () => {
  const api = await startTestServer()
  const gate = Promise.withResolvers<void>()
  const entered = Promise.withResolvers<void>()
  api.before = () => {
    entered.resolve()
    return gate.promise
  }
  const agent = new Agent({ keepAlive: true })
  const answered = new Promise<number | undefined>((resolve, reject) => {
    get(`${api.url}/api/open`, { agent }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode))
    }).on('error', reject)
  })
  await entered.promise
  const closed = api.server.close(60_000)
  await expect(fetch(`${api.url}/api/open`)).rejects.toThrow()
  gate.resolve()
  expect(await answered).toBe(200)
  await closed
  agent.destroy()
})

test('draining keeps serving, and every answer ends its connection', async () => {
  const api = await startTestServer()
  const before = await fetch(`${api.url}/api/open`)
  api.server.drain()
  const [during, unknown] = [await fetch(`${api.url}/api/open`), await fetch(`${api.url}/api/nothing`)]
  const told = [before, during, unknown].map(({ status, headers }) => [status, headers.get('connection')])
  expect(told).toEqual([
    [200, 'keep-alive'],
    [200, 'close'],
    [404, 'close'],
  ])
  await api.server.close(1000)
})

test('closing does not wait longer than graceMs', async () => {
  const api = await startTestServer()
  const entered = Promise.withResolvers<void>()
  api.before = () => {
    entered.resolve()
    return new Promise(() => {})
  }
  const hanging = fetch(`${api.url}/api/open`).catch((error: unknown) => error)
  await entered.promise
  await api.server.close(20)
  expect(await hanging).toBeInstanceOf(Error)
})
