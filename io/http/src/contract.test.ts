import { refuse } from '@sealpost/protocol'
import { openGates } from '@sealpost/testkit/open-gates'
import { afterAll, expect, test } from 'vitest'
import { bindRoute } from './bind-route.ts'
import { openServer } from './server.ts'
import { createThing, readOpen } from './testing/operations.ts'
import { startTestServer, THING } from './testing/server.ts'

const strict = await startTestServer()
const lenient = await startTestServer({ strictContract: false })
afterAll(async () => {
  await strict.close()
  await lenient.close()
})

test('an error that the operation does not declare is a 500 in strict mode and passes otherwise', async () => {
  for (const api of [strict, lenient]) {
    api.before = () => {
      throw refuse('plugins.not_found')
    }
  }
  const loud = await strict.send(`/api/things/${THING}`)
  expect([loud.status, await loud.json()]).toMatchObject([
    500,
    { error: 'contract broken: test.read_thing answered plugins.not_found, which it does not declare' },
  ])
  expect((await lenient.send(`/api/things/${THING}`)).status).toBe(404)
})

test('a body that violates the schema is a 500 in strict mode', async () => {
  const server = openServer(strict.server.options)
  bindRoute(server, openGates, { operation: readOpen, handle: () => JSON.parse('{"status":1}') })
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  const odd = await fetch(`${url}/api/open`)
  await server.close(1000)
  expect([odd.status, await odd.json()]).toMatchObject([
    500,
    { error: 'contract broken: test.read_open answered a body whose /status must be a string' },
  ])
})

test('an operation that creates cannot be bound without an idempotency store', () => {
  const { idempotency: _none, ...options } = strict.server.options
  const server = openServer(options)
  expect(() =>
    bindRoute(server, openGates, { operation: createThing, handle: () => ({ id: '', client_secret: null }) }),
  ).toThrow('open the server with an idempotency store')
})

test('a handler with a wrong answer does not compile', () => {
  const bind = (): void => {
    // @ts-expect-error -- `status` is text
    bindRoute(strict.server, openGates, { operation: readOpen, handle: () => ({ status: 1 }) })
    // @ts-expect-error -- `status` is missing
    bindRoute(strict.server, openGates, { operation: readOpen, handle: async () => ({}) })
    bindRoute(strict.server, openGates, {
      operation: createThing,
      // @ts-expect-error -- the body has no such member
      handle: ({ body }) => ({ id: body.title, client_secret: '' }),
    })
    // @ts-expect-error -- a public route has no caller
    bindRoute(strict.server, openGates, { operation: readOpen, handle: ({ caller }) => ({ status: caller.name }) })
  }
  expect(bind).toBeTypeOf('function')
})
