import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/** A file of the app, as it is answered. */
export interface SiteFile {
  readonly contentType: string
  readonly cacheControl: string
  readonly etag: string
  readonly plain: Buffer
  /** Made when it is first asked for; null for what is compressed already. */
  readonly brotli: () => Buffer | null
  readonly gzip: () => Buffer | null
}

export interface Site {
  /** Null for a path that is neither a file nor a page. */
  find(path: string): SiteFile | null
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.pem': 'application/x-pem-file',
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.woff2': 'font/woff2',
}
const COMPRESSED = new Set(['.bcmap', '.pfb', '.png', '.woff2'])
/** The names of these change with their content. */
const FOREVER = 'public, max-age=31536000, immutable'
/** Asked for again at each use, and answered 304 while it is the same. */
const FRESH = 'no-cache'
const INDEX = '/index.html'
const SERVICE_WORKER = '/sw.js'
const SEAL_ROOTS = '/seal-roots.pem'

export interface SiteOptions {
  readonly frontDoorUrl: string
  /** Empty where the app needs none, or the operator has not said it. */
  readonly personAppUrl: string
  readonly policy: string
  /** In PEM. */
  readonly sealRoots: Buffer | null
}

/** Reads the folder once. `index.html` learns the address of the front door, the service worker a digest of the headers. */
export function readSite(root: string, { frontDoorUrl, personAppUrl, policy, sealRoots }: SiteOptions): Site {
  const files = new Map<string, SiteFile>()
  const fill = (path: string, bytes: Buffer): Buffer => {
    if (path === INDEX) return filledIndex(bytes)
    // See [Note: a cached page keeps its headers].
    return path === SERVICE_WORKER ? filled(bytes, 'policy-digest', digestOf(policy + frontDoorUrl)) : bytes
  }
  const filledIndex = (bytes: Buffer): Buffer => {
    const index = filled(bytes, 'front-door-url', escapeAttribute(frontDoorUrl))
    return index.includes('%person-app-url%') ? filled(index, 'person-app-url', escapeAttribute(personAppUrl)) : index
  }
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const path = `/${relative(root, file).split(sep).join('/')}`
    files.set(path, siteFile(path, fill(path, readFileSync(file))))
  }
  if (sealRoots !== null) files.set(SEAL_ROOTS, siteFile(SEAL_ROOTS, sealRoots))
  const index = files.get(INDEX)
  if (index === undefined) throw new Error(`${root} holds no built web app: run npm run build`)
  return {
    find(path) {
      if (path === INDEX) return null
      const isPage = extname(path) === '' && !path.startsWith('/api/')
      return files.get(path) ?? (isPage ? index : null)
    },
  }
}

function siteFile(path: string, plain: Buffer): SiteFile {
  const kind = extname(path)
  const isSmall = COMPRESSED.has(kind)
  return {
    contentType: TYPES[kind] ?? 'application/octet-stream',
    cacheControl: path.startsWith('/assets/') ? FOREVER : FRESH,
    etag: `"${digestOf(plain)}"`,
    plain,
    brotli: madeOnce(isSmall, () => brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })),
    gzip: madeOnce(isSmall, () => gzipSync(plain)),
  }
}

function madeOnce(isSmall: boolean, compress: () => Buffer): () => Buffer | null {
  let made: Buffer | null = null
  return () => (isSmall ? null : (made ??= compress()))
}

function filled(bytes: Buffer, name: string, value: string): Buffer {
  const text = bytes.toString('utf8')
  const place = `%${name}%`
  if (!text.includes(place)) throw new Error(`the built web app has no place for ${place}: build it again`)
  return Buffer.from(text.replace(place, value))
}

function digestOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 22)
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
