import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Site, SiteFile } from './site.ts'

const READS = new Set(['GET', 'HEAD'])

/** Answers files of the site, and the page itself for every path of a page. */
export function createSiteServer(site: Site, headers: Readonly<Record<string, string>>): Server {
  return createServer({ requestTimeout: 15_000, headersTimeout: 15_000 }, (request, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    const path = pathOf(request)
    const file = path === null ? null : site.find(path)
    if (!READS.has(request.method ?? '')) refuse(response, 405, 'Method not allowed')
    else if (file === null) refuse(response, 404, 'Not found')
    else answer(request, response, file)
  })
}

function answer(request: IncomingMessage, response: ServerResponse, file: SiteFile): void {
  response.setHeader('cache-control', file.cacheControl)
  response.setHeader('etag', file.etag)
  response.setHeader('vary', 'accept-encoding')
  if (request.headers['if-none-match'] === file.etag) {
    response.writeHead(304).end()
    return
  }
  const { encoding, body } = encoded(request.headers['accept-encoding'] ?? '', file)
  response.setHeader('content-type', file.contentType)
  response.setHeader('content-length', body.length)
  if (encoding !== null) response.setHeader('content-encoding', encoding)
  response.writeHead(200).end(request.method === 'HEAD' ? undefined : body)
}

function encoded(accepted: string, { brotli, gzip, plain }: SiteFile) {
  const [kind, packed] = /\bbr\b/.test(accepted)
    ? (['br', brotli()] as const)
    : (['gzip', /\bgzip\b/.test(accepted) ? gzip() : null] as const)
  if (packed !== null) return { encoding: kind, body: packed }
  return { encoding: null, body: plain }
}

function refuse(response: ServerResponse, status: number, sentence: string): void {
  response.setHeader('content-type', 'text/plain; charset=utf-8')
  response.setHeader('cache-control', 'no-store')
  response.writeHead(status).end(`${sentence}\n`)
}

function pathOf({ url = '/' }: IncomingMessage): string | null {
  try {
    return decodeURIComponent(new URL(url, 'http://localhost').pathname)
  } catch {
    return null
  }
}
