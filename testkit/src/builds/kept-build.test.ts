import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { cacheFolder } from './cache-folder.ts'
import { KEPT, keptBuild } from './kept-build.ts'
import { sourceKey } from './source-key.ts'

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sealpost-builds-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A cache, and a build that counts how often it was made. */
function counted(text = 'built') {
  const folder = scratch()
  const made = { times: 0 }
  const make = async (into: string): Promise<void> => {
    made.times += 1
    mkdirSync(join(into, 'program'))
    await new Promise(setImmediate)
    writeFileSync(join(into, 'program', 'main.js'), text)
  }
  const get = (checkout: string, key = 'a1') =>
    keptBuild({ name: 'bundles', key, into: join(folder, checkout), cache: join(folder, 'cache'), make })
  return { folder, made, get, textAt: (at: string) => readFileSync(join(at, 'program', 'main.js'), 'utf8') }
}

test('several checkouts at once make a build once, and each has a copy', async () => {
  const { made, get, textAt } = counted()
  const found = await Promise.all(['one', 'two', 'three', 'one'].map((checkout) => get(checkout)))
  expect(made.times).toBe(1)
  expect(found.map(textAt)).toEqual(['built', 'built', 'built', 'built'])
  expect(new Set(found).size).toBe(3)
})

test('another user may read a build: programs of untrusted files run from it', async () => {
  const { get } = counted()
  expect(statSync(await get('one')).mode & 0o777).toBe(0o755)
})

test('a build that fails leaves nothing behind, and is made again', async () => {
  const { folder, get, textAt } = counted()
  const fail = async (into: string): Promise<void> => {
    writeFileSync(join(into, 'half.js'), '')
    throw new Error('a source is wrong')
  }
  const failing = { name: 'bundles', key: 'a1', into: join(folder, 'one'), cache: join(folder, 'cache'), make: fail }
  await expect(keptBuild(failing)).rejects.toThrow('a source is wrong')
  expect(readdirSync(join(folder, 'cache/bundles'))).toEqual([])
  expect(textAt(await get('one'))).toBe('built')
})

test('what a killed process has left is no result, and its lock ends', async () => {
  const { folder, made, get } = counted()
  const [half, lock] = ['a1.unfinished-x', 'a1.lock'].map((name) => join(folder, 'cache/bundles', name))
  mkdirSync(half ?? '', { recursive: true })
  mkdirSync(lock ?? '')
  const longAgo = new Date(Date.now() - 7_200_000)
  for (const left of [half, lock]) utimesSync(left ?? '', longAgo, longAgo)
  const found = await get('one')
  expect(made.times).toBe(1)
  expect(readdirSync(found)).toEqual(['program'])
  expect(readdirSync(join(folder, 'cache/bundles'))).toEqual(['a1'])
})

test('the newest builds stay, and the oldest go', async () => {
  const { folder, get } = counted()
  const keys = Array.from({ length: KEPT + 2 }, (_, at) => `a${at}`)
  for (const [at, key] of keys.entries()) {
    const found = await get('one', key)
    const then = new Date(Date.now() - 1_000_000 + at * 1_000)
    for (const place of [found, join(folder, 'cache/bundles', key)]) utimesSync(place, then, then)
  }
  for (const place of ['one', 'cache/bundles'])
    expect(readdirSync(join(folder, place)).toSorted()).toEqual(keys.slice(2).toSorted())
})

test('a key depends on names and contents of the sources, not on their place, their times or tests', () => {
  const [one, other] = [scratch(), scratch()]
  for (const root of [one, other]) {
    mkdirSync(join(root, 'apps'))
    writeFileSync(join(root, 'apps/main.ts'), 'start()')
  }
  utimesSync(join(other, 'apps/main.ts'), 1, 1)
  writeFileSync(join(other, 'apps/main.test.ts'), 'a test')
  const key = sourceKey(one)
  expect(sourceKey(other)).toBe(key)
  writeFileSync(join(other, 'apps/main.ts'), 'start!!')
  expect(sourceKey(other)).not.toBe(key)
  writeFileSync(join(one, 'apps/more.ts'), '')
  expect(sourceKey(one)).not.toBe(key)
})

test('the cache is where SEALPOST_CACHE says; else among the caches of the user, or among temporary files', () => {
  const folder = scratch()
  const wish = join(folder, 'wished')
  expect(cacheFolder({ SEALPOST_CACHE: wish, XDG_CACHE_HOME: folder })).toBe(wish)
  expect(existsSync(wish)).toBe(true)
  expect(cacheFolder({ XDG_CACHE_HOME: folder })).toBe(join(folder, 'sealpost'))
  writeFileSync(join(folder, 'file'), '')
  expect(cacheFolder({ XDG_CACHE_HOME: join(folder, 'file') })).toContain(tmpdir())
  expect(() => cacheFolder({ SEALPOST_CACHE: join(folder, 'file/below') })).toThrow('SEALPOST_CACHE')
})
