import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './read-suite.ts'
import { runCases } from './run-suite.ts'
import { SUITES } from './suites.ts'

const files = Object.values(SUITES).flat()
/** Egress opens sockets: it belongs to io and never runs in a browser. */
const NOT_PURE = ['vectors/egress.json']

test('every vector file of the pure packages runs in the browser', () => {
  const folders = ['vectors', '../shared/vectors'].filter((folder) => existsSync(join(ROOT, folder)))
  const present = folders.flatMap((folder) => readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`))
  const wanted = present.filter((path) => path.endsWith('.json') && !NOT_PURE.includes(path))
  const known = files.map(({ path }) => path)
  expect(wanted.filter((path) => !known.includes(path))).toEqual([])
})

test('every function that makes cases runs in the browser', async () => {
  const folder = join(ROOT, 'testkit/src/vectors')
  const modules = await Promise.all(readdirSync(folder).map((name) => import(join(folder, name))))
  const makers = modules.flatMap((module) => Object.entries<unknown>(module))
  const known = new Set<unknown>(files.map(({ cases }) => cases))
  const forgotten = makers.filter(([name, value]) => name.endsWith('Cases') && !known.has(value))
  expect(forgotten.map(([name]) => name)).toEqual([])
})

test('a case that throws or rejects, also with no Error, is reported, and the next ones still run', async () => {
  const outcomes = await runCases([
    { name: 'passes', run: () => undefined },
    { name: 'throws', run: () => mustFail(new Error('wrong')) },
    { name: 'rejects', run: () => Promise.reject(new Error('wrong later')) },
    { name: 'throws no error', run: () => mustFail('odd') },
    { name: 'passes later', run: () => Promise.resolve() },
  ])
  expect(outcomes).toEqual([
    { name: 'passes', error: null },
    { name: 'throws', error: 'wrong' },
    { name: 'rejects', error: 'wrong later' },
    { name: 'throws no error', error: 'threw odd' },
    { name: 'passes later', error: null },
  ])
})

function mustFail(thrown: unknown): never {
  throw thrown
}
