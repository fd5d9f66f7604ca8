import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { readSettings } from '@sealpost/kernel'
import { recordingTelemetry } from '@sealpost/telemetry'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningWeb, startWeb, webSettings } from './index.ts'

const root = mkdtempSync(join(tmpdir(), 'sealpost-web-'))
const INDEX_HTML =
  '<!doctype html><meta name="front-door" content="%front-door-url%"><meta name="person-app" content="%person-app-url%">'
let web: RunningWeb

beforeAll(async () => {
  mkdirSync(join(root, 'assets'))
  writeFileSync(join(root, 'index.html'), INDEX_HTML)
  writeFileSync(join(root, 'sw.js'), "const POLICY = '%policy-digest%'")
  writeFileSync(join(root, 'assets/app-1a2b.js'), 'export const answer = 42\n'.repeat(100))
  const variables = {
    WEB_ROOT: root,
    FRONT_DOOR_URL: 'https://door.example.com',
    API_ORIGINS: 'https://eu.example.com,https://us.example.com',
    PERSON_APP_URL: 'https://my.example.com',
    LISTEN_PORT: '0',
    INTERNAL_PORT: '0',
  }
  web = await startWeb(readSettings(webSettings, variables), { telemetry: recordingTelemetry() })
})

afterAll(async () => {
  await web.close()
  rmSync(root, { recursive: true })
})

const ROOTS = '-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n'

test('the certificates that judge seals are served where there are some, and are not a page', async () => {
  expect((await get('/seal-roots.pem')).status).toBe(404)
  const file = join(root, '..', `${basename(root)}-roots.pem`)
  writeFileSync(file, ROOTS)
  const variables = {
    WEB_ROOT: root,
    FRONT_DOOR_URL: 'https://door.example.com',
    API_ORIGINS: 'https://eu.example.com',
  }
  const ports = { LISTEN_PORT: '0', INTERNAL_PORT: '0' }
  const settings = readSettings(webSettings, { ...variables, ...ports, SEAL_ROOTS: file })
  const other = await startWeb(settings, { telemetry: recordingTelemetry() })
  const answer = await fetch(`${other.url}/seal-roots.pem`)
  expect([answer.headers.get('cache-control'), await answer.text()]).toEqual(['no-cache', ROOTS])
  await other.close()
  rmSync(file)
})

const get = (path: string, headers: Readonly<Record<string, string>> = {}) => fetch(`${web.url}${path}`, { headers })

test.each(['/', '/data/home', '/assets/app-1a2b.js', '/sw.js', '/assets/gone.js', '/api/account'])(
  'the policy comes with %s: a worker obeys the one of its own file',
  async (path) => {
    const policy = (await get(path)).headers.get('content-security-policy') ?? ''
    expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval';")
    expect(policy).toContain("style-src 'self';")
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types sealpost")
    expect(policy).toContain(
      "connect-src 'self' https://door.example.com https://eu.example.com https://us.example.com;",
    )
    expect(policy).not.toContain('unsafe-inline')
  },
)

test('a path of a page answers the page, which knows its front door; a missing file does not', async () => {
  const page = await get('/connections/019a')
  expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-cache'])
  expect(await page.text()).toContain('content="https://door.example.com"')
  for (const path of ['/assets/gone.js', '/index.html', '/api/account', '/..%2f..%2fetc/passwd.txt', '/%ff'])
    expect([path, (await get(path)).status]).toEqual([path, 404])
  expect((await fetch(web.url, { method: 'POST' })).status).toBe(405)
})

test('files with a digest in their name are kept for ever, and compressed', async () => {
  const path = '/assets/app-1a2b.js'
  const file = await get(path, { 'accept-encoding': 'identity' })
  expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  const packed = await raw(path, 'br, gzip')
  expect(packed.encoding).toBe('br')
  expect(brotliDecompressSync(packed.body).toString()).toBe(await file.text())
  const unchanged = await get(path, { 'if-none-match': file.headers.get('etag') ?? '' })
  expect(unchanged.status).toBe(304)
})

test('the service worker changes with the headers, so that a cached page gets the new ones', async () => {
  const before = await (await get('/sw.js')).text()
  const variables = {
    WEB_ROOT: root,
    FRONT_DOOR_URL: 'https://door.example.com',
    API_ORIGINS: 'https://eu.example.com',
  }
  const other = await startWeb(readSettings(webSettings, { ...variables, LISTEN_PORT: '0', INTERNAL_PORT: '0' }), {
    telemetry: recordingTelemetry(),
  })
  const after = await (await fetch(`${other.url}/sw.js`)).text()
  await other.close()
  expect(before).toMatch(/^const POLICY = '[\w-]{22}'$/)
  expect(after).not.toBe(before)
})

/** Without the decompression of `fetch`. */
function raw(
  path: string,
  accepted: string,
): Promise<{ readonly encoding: string | undefined; readonly body: Buffer }> {
  return new Promise((resolve, reject) => {
    request(`${web.url}${path}`, { headers: { 'accept-encoding': accepted } }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () => resolve({ encoding: response.headers['content-encoding'], body: Buffer.concat(parts) }))
    })
      .on('error', reject)
      .end()
  })
}
