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
  /** The value of the extension that limits the list to a part: `onlyCA=TRUE`, `fullname=URI:…`. */
  readonly scope?: string
}

/** DER. */
export async function makeRevocationList(pki: TestPki, wish: ListWish = {}): Promise<Buffer> {
  const { revoked = [], issuer = 'root', from, to, scope } = wish
  const folder = mkdtempSync(join(tmpdir(), 'sealpost-crl-'))
  const path = (name: string): string => join(folder, name)
  writeFileSync(path('index.txt'), '')
  writeFileSync(path('ca.cnf'), configOf(path('index.txt'), scope))
  const authority = ['-config', path('ca.cnf'), '-cert', pki.path(`${issuer}.pem`)]
  const ca = [...authority, '-keyfile', pki.path(`${issuer}.key`)]
  for (const name of revoked) await run('openssl', ['ca', ...ca, '-revoke', pki.path(`${name}.pem`)])
  const times =
    from === undefined || to === undefined ? ['-crldays', '1'] : ['-crl_lastupdate', from, '-crl_nextupdate', to]
  await run('openssl', ['ca', ...ca, '-gencrl', ...times, '-out', path('list.pem')])
  await run('openssl', ['crl', '-in', path('list.pem'), '-outform', 'DER', '-out', path('list.der')])
  return readFileSync(path('list.der'))
}

function configOf(database: string, scope: string | undefined): string {
  const own = `[ca]\ndefault_ca=own\n[own]\ndatabase=${database}\ndefault_md=sha256\n`
  if (scope === undefined) return own
  return `${own}crl_extensions=limited\n[limited]\nissuingDistributionPoint=critical,@part\n[part]\n${scope}\n`
}

/** An HTTP server on loopback that publishes lists. */
export interface ListServer {
  readonly url: string
  /** Null: it answers with status 503. Of `root` unless told. */
  publish(list: Uint8Array | null, issuer?: string): void
  /** How often it was asked. */
  asked(): number
  close(): Promise<void>
}

export async function startListServer(): Promise<ListServer> {
  const lists = new Map<string, Uint8Array | null>()
  let asked = 0
  const server = createServer(({ url = '' }, response) => {
    asked += 1
    const list = lists.get(url) ?? null
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
    publish(list, issuer = 'root') {
      lists.set(`/${issuer}.crl`, list)
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
