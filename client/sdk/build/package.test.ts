import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CLIENT_ID, CLIENT_SECRET, refusal, startFrontDoor, startRegion, WHO } from '../test/stub-platform.ts'

const run = promisify(execFile)
const TSC = join(import.meta.dirname, '../../../node_modules/.bin/tsc')
const home = mkdtempSync(join(tmpdir(), 'sealpost-sdk-'))
const dist = join(home, 'dist')
const project = join(home, 'project')
const installed = join(project, 'node_modules/@sealpost/sdk')

const PROGRAM = `
import { isSealpostError, ServiceClient, type ErrorKey, type WhoamiAnswer } from '@sealpost/sdk'

const [frontDoorUrl = '', clientId = '', clientSecret = ''] = process.argv.slice(2)
const client = new ServiceClient({ frontDoorUrl, clientId, clientSecret })
try {
  const who: WhoamiAnswer = await client.whoami()
  console.log(who.service_id)
} catch (error) {
  if (!isSealpostError(error, 'region.rebase_required')) throw error
  const key: ErrorKey = error.key
  console.log(key, error.details.api_url)
}
`

beforeAll(async () => {
  const { stdout: built } = await run('npm', ['run', 'build', '--', dist], { cwd: join(import.meta.dirname, '..') })
  expect(built).toMatch(/^index\.js: \d+ bytes, \d+ gzipped$/m)
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{"name":"consumer","private":true,"type":"module"}')
  writeFileSync(join(project, 'main.ts'), PROGRAM)
  const { stdout } = await run('npm', ['pack', dist, '--json', '--pack-destination', home], { cwd: home })
  const tarball = /"filename":\s*"([^"]+)"/.exec(stdout)?.[1] ?? ''
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(home, tarball)], { cwd: project })
})

afterAll(() => rmSync(home, { recursive: true, force: true }))

test('the package contains its modules with source maps, types, README and licenses, and has no dependencies', () => {
  const entries = ['crypto', 'file-store', 'flows', 'forwarder', 'index', 'login', 'types', 'webhooks']
  const others = ['LICENSE', 'README.md', 'THIRD-PARTY.txt', 'package.json', 'shared', 'types']
  const files = readdirSync(installed).filter((name) => !name.endsWith('.map'))
  expect(files.toSorted()).toEqual([...entries.map((name) => `${name}.js`), ...others].toSorted())
  expect(existsSync(join(installed, 'index.js.map'))).toBe(true)
  const types = readdirSync(join(installed, 'types'), { recursive: true, withFileTypes: true })
  expect(types.filter((entry) => entry.isFile() && !entry.name.endsWith('.d.ts'))).toEqual([])

  const manifest: Record<string, unknown> = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  expect(manifest).toMatchObject({ name: '@sealpost/sdk', engines: { node: '>=22' } })
  expect(Object.keys(manifest)).not.toContain('private')
  expect(Object.keys(manifest)).not.toContain('dependencies')
  const shared = readdirSync(join(installed, 'shared')).map((name) => `shared/${name}`)
  const modules = [...files, ...shared].filter((name) => name.endsWith('.js') && name !== 'file-store.js')
  for (const name of modules) {
    const text = readFileSync(join(installed, name), 'utf8')
    expect([name, /require\(|["'`]node:|\bprocess\.[a-z]/.exec(text)]).toEqual([name, null])
    const imported = [...text.matchAll(/^(?:import|export)\b[^\n]*from\s*["']([^"']+)/gm)].map(([, from]) => from)
    expect(imported.filter((from) => from?.startsWith('.') !== true)).toEqual([])
  }
  expect(existsSync(join(project, 'node_modules/@sealpost/kernel'))).toBe(false)
})

test('a program outside this repository runs with the package', async () => {
  await using region = await startRegion()
  await using frontDoor = await startFrontDoor(() => region.url)

  const { stdout } = await run('node', ['main.ts', frontDoor.url, CLIENT_ID, CLIENT_SECRET], { cwd: project })

  expect(stdout.trim()).toBe(WHO.service_id)
})

const CONSUMER = `
import { memoryStore, ServiceClient, StoreError } from '@sealpost/sdk'
import { fileStore } from '@sealpost/sdk/file-store'
import { nodeHandler, openReceiver, seenInStore, type WebhookEvent } from '@sealpost/sdk/webhooks'

const client = new ServiceClient({ frontDoorUrl: 'http://127.0.0.1:1', clientId: 'svc_x', clientSecret: 'y' })
export const pump = client.changes.pump({ store: memoryStore(), handle: (change) => console.log(change.id) })
const store = fileStore('./held')
export const seen = await seenInStore(store)
const handle = (event: WebhookEvent) => console.log(event.event)
export const handler = nodeHandler(await openReceiver({ secrets: ['a secret'], handle, seen }))
try {
  await client.changes.pump({ store, handle: () => {} }).run()
} catch (error) {
  console.log(error instanceof StoreError && error.reason)
}
`

test('a consumer of changes and webhooks runs with the package, and recognises its errors', async () => {
  writeFileSync(join(project, 'consumer.ts'), CONSUMER)
  const { stdout } = await run('node', ['consumer.ts'], { cwd: project })
  expect(stdout.trim()).toBe('in_use')
})

test('the quick start of the README runs as printed', async () => {
  await using region = await startRegion()
  await using frontDoor = await startFrontDoor(() => region.url)
  const [, printed = ''] = /```js\n(.+?)```/s.exec(readFileSync(join(installed, 'README.md'), 'utf8')) ?? []
  writeFileSync(join(project, 'quick-start.js'), printed.replace('https://api.example.com', frontDoor.url))
  const env = { ...process.env, SEALPOST_CLIENT_ID: CLIENT_ID, SEALPOST_CLIENT_SECRET: CLIENT_SECRET }

  const { stdout } = await run('node', ['quick-start.js'], { cwd: project, env })

  expect(stdout.trim()).toBe(`connected as service ${WHO.service_id} of company ${WHO.company_user_id}`)
})

test('a program outside this repository gets errors with their details', async () => {
  await using region = await startRegion(() => refusal(421, 'region.rebase_required', { api_url: region.url }))
  await using frontDoor = await startFrontDoor(() => region.url)

  const { stdout } = await run('node', ['main.ts', frontDoor.url, CLIENT_ID, CLIENT_SECRET], { cwd: project })

  expect(stdout.trim()).toBe(`region.rebase_required ${region.url}`)
})

test.each([
  ['a browser', ['ES2024', 'DOM']],
  ['a worker', ['ES2024', 'WebWorker']],
])('the types compile without others in %s', async (_, lib) => {
  const declarations = 'declare const process: { argv: string[] }\n'
  writeFileSync(join(project, 'consumer.ts'), CONSUMER)
  writeFileSync(join(project, 'globals.d.ts'), declarations)
  const compilerOptions = { lib, types: [], target: 'es2023', module: 'nodenext', strict: true, noEmit: true }
  const settings = { compilerOptions, files: ['main.ts', 'consumer.ts', 'globals.d.ts'] }
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(settings))

  const compiled = await run(TSC, ['-p', project]).catch((error: unknown) => error)
  expect(compiled).toMatchObject({ stdout: '' })
})
