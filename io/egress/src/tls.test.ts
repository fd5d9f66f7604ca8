import { createServer } from 'node:https'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { socketDialer } from './dialer.ts'
import { testCertificate } from './test-certificate.ts'
import { getRequest, openTestEgress, startServer, type TestServer } from './test-server.ts'

const certificate = testCertificate('hooks.customer.example')
const trusting = openTestEgress({ dialer: socketDialer({ trustedCertificates: [certificate.cert] }) })
let server: TestServer

beforeAll(async () => {
  const https = createServer(certificate, (_request, response) => void response.end('sealed'))
  server = await startServer(https, 'https')
})
afterAll(() => server.close())

test('a certificate that is trusted and for this name is accepted', async () => {
  const result = await trusting.send(getRequest(`https://hooks.customer.example:${server.port}/`))
  expect(result).toMatchObject({ ok: true, value: { status: 200 } })
})

test('an untrusted certificate is refused, whatever the environment says', async () => {
  const url = `https://hooks.customer.example:${server.port}/`
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
  const result = await openTestEgress().send(getRequest(url))
  vi.unstubAllEnvs()
  expect(result).toMatchObject({ refusal: { kind: 'tls', code: 'DEPTH_ZERO_SELF_SIGNED_CERT' } })
})

test.each(['other.customer.example', '127.0.0.1'])(
  'a certificate for another host than %s is refused',
  async (host) => {
    const result = await trusting.send(getRequest(`https://${host}:${server.port}/`))
    expect(result).toMatchObject({ refusal: { kind: 'tls', code: 'ERR_TLS_CERT_ALTNAME_INVALID' } })
  },
)

test('a server that does not speak TLS is a failure of TLS', async () => {
  const { createServer: createPlain } = await import('node:net')
  const plain = await startServer(
    createPlain((socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
    'https',
  )
  const result = await openTestEgress().send(getRequest(plain.url))
  await plain.close()
  expect(result).toMatchObject({ refusal: { kind: 'tls' } })
})

test('with several addresses the bad certificate is reported, not the closed port', async () => {
  const several = openTestEgress({ resolver: { resolve: async () => ['127.0.0.1', '127.0.0.9'] } })
  const dialed = await several.send(getRequest(`https://hooks.customer.example:${server.port}/`))
  expect(dialed).toMatchObject({ refusal: { kind: 'tls', code: 'DEPTH_ZERO_SELF_SIGNED_CERT' } })
})
