import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type StubChange, stubFeed } from '../../test/stub-feed.ts'
import type { StoreHold } from '../pump/line-store.ts'
import { ChangePump } from '../pump/pump.ts'
import { fileStore } from './index.ts'
import { takeLock } from './lock.ts'

let folder: string

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'file-store-')), 'store')
})
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }))

async function hold(): Promise<StoreHold> {
  const taken = await fileStore(folder).acquire()
  if ('heldBy' in taken) throw new Error(taken.heldBy)
  return taken.hold
}

/** The file of a holder that another process left behind. */
function leaveHolder(holder: object): void {
  writeFileSync(join(folder, 'held-by-0f0f'), JSON.stringify(holder))
}

const holders = (): readonly string[] => readdirSync(folder).filter((name) => name.startsWith('held-by-'))

test('lines come back in order, from a folder and files that are the owner’s alone', async () => {
  expect(await fileStore(folder).read()).toEqual([])
  const first = await hold()
  await first.append('one', true)
  await first.append('two – zwei', false)
  expect(await fileStore(folder).read()).toEqual(['one', 'two – zwei'])
  await first.replace(['three'])
  await first.append('four', false)
  await first.release()
  expect(await fileStore(folder).read()).toEqual(['three', 'four'])
  expect(readdirSync(folder)).toEqual(['journal.jsonl'])
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(statSync(join(folder, 'journal.jsonl')).mode & 0o777).toBe(0o600)
})

test('a store that is held is refused, and free again when it is released', async () => {
  const first = await hold()
  expect(await fileStore(folder).acquire()).toEqual({ heldBy: 'this process' })
  expect(holders()).toHaveLength(1)
  await first.release()
  await (await hold()).release()
})

test('of many who come at the same time one at most gets it', async () => {
  const taken = await Promise.all(Array.from({ length: 20 }, () => fileStore(folder).acquire()))
  expect(taken.filter((each) => 'hold' in each).length).toBeLessThanOrEqual(1)
  for (const each of taken) if ('hold' in each) await each.hold.release()
  await (await hold()).release()
})

test('a holder whose process is gone, or whose number another process has by now, is passed over', async () => {
  const own = await hold()
  const [name = ''] = holders()
  const self = JSON.parse(readFileSync(join(folder, name), 'utf8'))
  await own.release()

  for (const dead of [
    { ...self, pid: 2 ** 22 + 1 },
    { ...self, start: '1' },
  ]) {
    leaveHolder(dead)
    await (await hold()).release()
    expect(holders()).toEqual([])
  }
})

test('a holder that can not be seen counts for a minute after it was last heard of', async () => {
  await (await hold()).release()
  leaveHolder({ pid: 7, host: 'elsewhere', world: 'another boot', start: '1' })
  expect(await fileStore(folder).acquire()).toEqual({
    heldBy: 'process 7 of elsewhere, which was heard of within the last minute',
  })
  rmSync(join(folder, 'held-by-0f0f'))
  leaveHolder({ pid: 7, host: 'elsewhere', world: 'another boot', start: '1' })
  utimesSync(join(folder, 'held-by-0f0f'), 1, 1)
  await (await hold()).release()
})

test('a holder that was heard of in the future, by a clock that was moved, is watched instead', async () => {
  await (await hold()).release()
  const left = join(folder, 'held-by-0f0f')
  const later = Date.now() / 1000 + 3600
  const take = async (meanwhile: () => void) => {
    leaveHolder({ pid: 7, host: 'elsewhere', world: 'another boot', start: '1' })
    utimesSync(left, later, later)
    return takeLock(folder, () => Promise.resolve(meanwhile()))
  }
  expect(await take(() => utimesSync(left, later + 5, later + 5))).toEqual({
    heldBy: 'process 7 of elsewhere, which was heard of within the last minute',
  })
  const free = await take(() => {})
  if ('heldBy' in free) throw new Error(free.heldBy)
  await free.lock.release()
  expect(holders()).toEqual([])
})

test.each(['{"k":"page","changes":[{"id":"x"', '\0\0\0\0\0\0', '{"k":"done","id":"b"}'])(
  'a pump goes on behind a last line that was cut off: %j',
  async (torn) => {
    const store = fileStore(folder)
    const seen: string[] = []
    const handle = ({ id }: StubChange): void => void seen.push(id)
    await new ChangePump(stubFeed(['a', 'b']), { store, handle }).run()
    appendFileSync(join(folder, 'journal.jsonl'), torn)

    await new ChangePump(stubFeed(['b', 'c']), { store, handle }).run()
    await new ChangePump(stubFeed(['c', 'd']), { store, handle }).run()
    expect(seen).toEqual(['a', 'b', 'c', 'd'])
  },
)

test('what could not be written is not written over', async () => {
  const own = await hold()
  await own.append('one', true)
  mkdirSync(join(folder, 'journal.next'))
  await expect(own.replace(['two'])).rejects.toThrow('EISDIR')
  await expect(own.append('three', true)).rejects.toThrow('left as it is')
  await own.release()
})

test('after a full disk only lines that replace all others are taken, and then the store goes on', async () => {
  mkdirSync(folder, { recursive: true })
  symlinkSync('/dev/full', join(folder, 'journal.jsonl'))
  const own = await hold()
  await expect(own.append('one', true)).rejects.toThrow('ENOSPC')
  await expect(own.append('two', true)).rejects.toThrow('left as it is')
  await own.replace(['three'])
  await own.append('four', true)
  await own.release()
  expect(await fileStore(folder).read()).toEqual(['three', 'four'])
})

test('a holder that was taken for dead, because its machine slept say, writes nothing any more', async () => {
  const own = await hold()
  await own.append('one', true)
  // As another container does that has not heard of it for a minute.
  for (const name of holders()) rmSync(join(folder, name))
  const other = await hold()
  await other.replace(['one', 'two'])

  const lost = { name: 'StoreError', reason: 'in_use' }
  await expect(own.append('three', false)).rejects.toMatchObject(lost)
  await expect(own.replace(['three'])).rejects.toMatchObject(lost)
  await own.release()
  await other.append('four', true)
  expect(await fileStore(folder).read()).toEqual(['one', 'two', 'four'])
  expect(holders()).toHaveLength(1)
  await other.release()
})

test('the file of a holder that a power cut left empty keeps the store for a minute and no longer', async () => {
  await (await hold()).release()
  const left = join(folder, 'held-by-0f0f')
  writeFileSync(left, '')
  expect(await fileStore(folder).acquire()).toMatchObject({ heldBy: expect.stringContaining('another process') })
  utimesSync(left, 0, 0)
  await (await hold()).release()
  expect(holders()).toEqual([])
})

test('a holder whose file can not be read, for want of file handles say, is not taken for gone', async () => {
  await (await hold()).release()
  mkdirSync(join(folder, 'held-by-0f0f'))
  expect(await fileStore(folder).acquire()).toMatchObject({ heldBy: expect.stringContaining('another process') })
})
