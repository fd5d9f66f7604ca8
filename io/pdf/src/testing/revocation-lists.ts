import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TestPki } from './certificates.ts'

const run = promisify(execFile)

/** What a list of `openssl ca -gencrl` is to say. */
export interface ListWish {
  /** Certificates of the PKI: `seal-ec`. */
  readonly revoked?: readonly string[]
  /** `root` unless told. */
  readonly issuer?: string
  /** `YYYYMMDDHHMMSSZ`; valid for a day from now unless told. */
  readonly from?: string
  readonly to?: string
}

/** DER. */
export async function makeRevocationList(pki: TestPki, wish: ListWish = {}): Promise<Buffer> {
  const { revoked = [], issuer = 'root', from, to } = wish
  const folder = mkdtempSync(join(tmpdir(), 'sealpost-crl-'))
  const path = (name: string): string => join(folder, name)
  writeFileSync(path('index.txt'), '')
  writeFileSync(path('ca.cnf'), `[ca]\ndefault_ca=own\n[own]\ndatabase=${path('index.txt')}\ndefault_md=sha256\n`)
  const authority = ['-config', path('ca.cnf'), '-cert', pki.path(`${issuer}.pem`)]
  const ca = [...authority, '-keyfile', pki.path(`${issuer}.key`)]
  for (const name of revoked) await run('openssl', ['ca', ...ca, '-revoke', pki.path(`${name}.pem`)])
  const times =
    from === undefined || to === undefined ? ['-crldays', '1'] : ['-crl_lastupdate', from, '-crl_nextupdate', to]
  await run('openssl', ['ca', ...ca, '-gencrl', ...times, '-out', path('list.pem')])
  await run('openssl', ['crl', '-in', path('list.pem'), '-outform', 'DER', '-out', path('list.der')])
  return readFileSync(path('list.der'))
}

/** An HTTP server on loopback that publishes one list. */
export interface ListServer {
  readonly url: string
  /** Null: it answers with status 503. */
  publish(list: Uint8Array | null): void
  /** How often it was asked. */
  asked(): number
  close(): Promise<void>
}

export async function startListServer(): Promise<ListServer> {
  let list: Uint8Array | null = null
  let asked = 0
  const server = createServer((_request, response) => {
    asked += 1
    if (list === null) response.writeHead(503).end()
    else response.setHeader('content-type', 'application/pkix-crl').end(list)
  })
  const listening = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', listening.resolve)
  await listening.promise
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return {
    url: `http://127.0.0.1:${address.port}/root.crl`,
    publish(next) {
      list = next
    },
    asked: () => asked,
    close() {
      const closed = Promise.withResolvers<void>()
      server.close(() => closed.resolve())
      server.closeAllConnections()
      return closed.promise
    },
  }
}
