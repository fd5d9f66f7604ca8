import { createReadStream, existsSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.pdf': 'application/pdf',
  '.txt': 'text/plain; charset=utf-8',
}

/** Serves a folder on loopback. Returns its address. */
export async function serveFolder(folder: string, port: number): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((request, response) => {
    const file = findFile(folder, request.url ?? '/')
    if (file === null) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('There is no such page.')
      return
    }
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' })
    createReadStream(file).pipe(response)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve)
  })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on a port
  const { port: used } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${used}/`, close: () => server.close() }
}

function findFile(folder: string, url: string): string | null {
  const path = URL.parse(url, 'http://localhost')?.pathname.replaceAll('%20', ' ')
  // An absolute path does not leave the root when it is normalized.
  const asked = join(folder, normalize(path ?? '/'))
  const file = existsSync(asked) && statSync(asked).isDirectory() ? join(asked, 'index.html') : asked
  return existsSync(file) ? file : null
}
