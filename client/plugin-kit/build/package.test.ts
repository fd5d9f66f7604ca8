import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

const run = promisify(execFile)
const TSC = join(import.meta.dirname, '../../../node_modules/.bin/tsc')
const home = mkdtempSync(join(tmpdir(), 'sealpost-plugin-kit-'))
const dist = join(home, 'dist')
const project = join(home, 'project')
const installed = join(project, 'node_modules/@sealpost/plugin-kit')

/** The types of `compute` follow from the definition: each line below that is wrong must not compile. */
const TYPED = `
import { fieldType, picksInvalid } from '@sealpost/plugin-kit'

const blocks = {
  size: { kind: 'search_select', label: 'Size', options: [{ id: 's', label: 'S' }] },
  count: { kind: 'number', label: 'Count' },
} as const
const base = { key: 'shirt', label: 'Shirt', blocks } as const
export const good = fieldType({
  ...base,
  inputs: { budget: { type: 'number', label: 'B', required: true }, day: { type: 'date', label: 'D' } },
  outputs: { price: { type: 'number', label: 'P' }, gift: { type: 'boolean', label: 'G' } },
  compute({ picks, values, inputs }) {
    const size: string = picks.size
    const count: number = values.count
    const budget: number = inputs.budget
    const day: string | undefined = inputs.day
    return size === '' || day === '' ? picksInvalid : { price: count * budget, gift: null }
  },
})
const outputs = { price: { type: 'number', label: 'P' } } as const
// @ts-expect-error a text for a number
export const wrongType = fieldType({ ...base, outputs, compute: () => ({ price: '1' }) })
// @ts-expect-error an output is missing
export const missing = fieldType({ ...base, outputs, compute: () => ({}) })
// @ts-expect-error no such pick
export const unknownPick = fieldType({ ...base, outputs, compute: ({ picks }) => ({ price: picks.colour.length }) })
// @ts-expect-error no such kind of block
export const unknownKind = fieldType({ ...base, blocks: { a: { kind: 'select', label: 'A' } }, outputs, compute: () => ({ price: 1 }) })
`

beforeAll(async () => {
  await run('npm', ['run', 'build', '--', dist], { cwd: join(import.meta.dirname, '..') })
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{"name":"author","private":true,"type":"module"}')
  const { stdout } = await run('npm', ['pack', dist, '--json', '--pack-destination', home], { cwd: home })
  const tarball = /"filename":\s*"([^"]+)"/.exec(stdout)?.[1] ?? ''
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(home, tarball)], { cwd: project })
})

afterAll(() => rmSync(home, { recursive: true, force: true }))

test('the package has its module with a source map, types, README and license, and no dependencies', () => {
  const files = readdirSync(installed).filter((name) => name !== 'LICENSE')
  expect(files.toSorted()).toEqual(['README.md', 'index.js', 'index.js.map', 'package.json', 'types'])
  const manifest: Record<string, unknown> = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  expect(manifest).toMatchObject({ name: '@sealpost/plugin-kit', engines: { node: '>=22' } })
  for (const name of ['private', 'dependencies']) expect(Object.keys(manifest)).not.toContain(name)
  const text = readFileSync(join(installed, 'index.js'), 'utf8')
  expect(/require\(|["'`]node:|\bprocess\.[a-z]|^import /m.exec(text)).toBeNull()
})

test('the plugin of the README runs as printed, outside this repository', async () => {
  const [, printed = ''] = /```js\n(.+?)```/s.exec(readFileSync(join(installed, 'README.md'), 'utf8')) ?? []
  expect(printed.split('\n').length).toBeLessThan(60)
  const asking = `
const { port } = server.address()
const answer = await fetch('http://127.0.0.1:' + port + '/manifest')
console.log(answer.status, JSON.stringify((await answer.json()).field_types[0].blocks[1]))
server.close()`
  const program = printed.replace('listen(3001)', "listen(0, '127.0.0.1')")
  writeFileSync(
    join(project, 'plugin.js'),
    `${program}\nawait new Promise((done) => server.once('listening', done))${asking}`,
  )

  const { stdout } = await run('node', ['plugin.js'], { cwd: project })

  expect(stdout.trim()).toBe('200 {"key":"engine","kind":"search_select","label":"Engine","depends_on":["model"]}')
})

test.each([
  ['Node', ['ES2024', 'DOM']],
  ['a worker', ['ES2024', 'WebWorker']],
])('the types compile in %s, and refuse definitions that do not fit', async (_, lib) => {
  writeFileSync(join(project, 'typed.ts'), TYPED)
  const compilerOptions = { lib, types: [], target: 'es2023', module: 'nodenext', strict: true, noEmit: true }
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['typed.ts'] }))

  const compiled = await run(TSC, ['-p', project]).catch((error: unknown) => error)
  expect(compiled).toMatchObject({ stdout: '' })
})
