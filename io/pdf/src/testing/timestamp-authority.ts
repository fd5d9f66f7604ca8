import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import type { TestPki } from './certificates.ts'

/** `openssl ts` behind HTTP on loopback. */
export interface TimestampAuthority {
  readonly url: string
  /** The next answers, made of the right one. */
  change(how: ((reply: Buffer) => Buffer | Promise<Buffer>) | null): void
  close(): Promise<void>
}

export async function startTimestampAuthority(pki: TestPki): Promise<TimestampAuthority> {
  let change: ((reply: Buffer) => Buffer | Promise<Buffer>) | null = null
  const server = createServer((request, response) => {
    void buffer(request)
      .then((query) => reply(pki, query))
      .then((bytes) => change?.(bytes) ?? bytes)
      .then((bytes) => response.setHeader('content-type', 'application/timestamp-reply').end(bytes))
      .catch(() => response.writeHead(500).end())
  })
  const listening = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', listening.resolve)
  await listening.promise
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return {
    url: `http://127.0.0.1:${address.port}/tsa`,
    change(how) {
      change = how
    },
    close() {
      const closed = Promise.withResolvers<void>()
      server.close(() => closed.resolve())
      server.closeAllConnections()
      return closed.promise
    },
  }
}

let requests = 0

async function reply(pki: TestPki, query: Buffer): Promise<Buffer> {
  requests += 1
  const [asked, answered] = [pki.path(`request-${requests}.tsq`), pki.path(`request-${requests}.tsr`)]
  writeFileSync(asked, query)
  const files = ['-config', pki.path('ca.cnf'), '-section', 'tsa_config', '-queryfile', asked, '-out', answered]
  await promisify(execFile)('openssl', ['ts', '-reply', ...files])
  return readFileSync(answered)
}
