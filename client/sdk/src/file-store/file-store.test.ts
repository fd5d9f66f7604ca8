import { spawnSync } from 'node:child_process'
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

/** The lock file of another process. */
function leaveHolder(holder: object): void {
  writeFileSync(join(folder, 'held-by-0f0f'), JSON.stringify(holder))
}

const holders = (): readonly string[] => readdirSync(folder).filter((name) => name.startsWith('held-by-'))

test('lines are read in order, and folder and files are accessible for the owner only', async () => {
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

test('a held store is refused, and available again after its release', async () => {
  const first = await hold()
  expect(await fileStore(folder).acquire()).toEqual({ heldBy: 'this process' })
  expect(holders()).toHaveLength(1)
  await first.release()
  await (await hold()).release()
})

test('at most one of many concurrent processes acquires a store', async () => {
  const taken = await Promise.all(Array.from({ length: 20 }, () => fileStore(folder).acquire()))
  expect(taken.filter((each) => 'hold' in each).length).toBeLessThanOrEqual(1)
  for (const each of taken) if ('hold' in each) await each.hold.release()
  await (await hold()).release()
})

test('a holder whose process is dead, or whose PID was reused, is ignored', async () => {
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

test('a holder on another machine counts for a minute after its last sign of life', async () => {
  await (await hold()).release()
  leaveHolder({ pid: 7, host: 'elsewhere', world: 'another boot', start: '1' })
  expect(await fileStore(folder).acquire()).toEqual({
    heldBy: 'process 7 of elsewhere, which was active within the last minute',
  })
  rmSync(join(folder, 'held-by-0f0f'))
  leaveHolder({ pid: 7, host: 'elsewhere', world: 'another boot', start: '1' })
  utimesSync(join(folder, 'held-by-0f0f'), 1, 1)
  await (await hold()).release()
})

test('drafts of processes that died while they wrote are removed after a minute', async () => {
  await (await hold()).release()
  const [old, young] = ['new-held-by-0f0f', 'new-held-by-1f1f'].map((name) => join(folder, name))
  for (const draft of [old, young]) writeFileSync(draft ?? '', '')
  utimesSync(old ?? '', Date.now() / 1000 - 61, Date.now() / 1000 - 61)
  await (await hold()).release()
  expect(readdirSync(folder)).toEqual(['journal.jsonl', 'new-held-by-1f1f'])
})

test('a lock file that cannot be written leaves nothing', async () => {
  await (await hold()).release()
  const acquire = `
    import { fileStore } from ${JSON.stringify(new URL('index.ts', import.meta.url).href)}
    await fileStore(${JSON.stringify(folder)}).acquire()`
  // No file may grow, as on a full disk.
  const limited = ['-c', 'ulimit -f 0; exec "$0" --input-type=module -e "$1"', process.execPath, acquire]
  expect(spawnSync('bash', limited).stderr.toString()).toContain('EFBIG')
  expect(readdirSync(folder)).toEqual(['journal.jsonl'])
})

test('a holder whose timestamp is in the future is watched instead', async () => {
  await (await hold()).release()
  const left = join(folder, 'held-by-0f0f')
  const later = Date.now() / 1000 + 3600
  const take = async (meanwhile: () => void) => {
    leaveHolder({ pid: 7, host: 'elsewhere', world: 'another boot', start: '1' })
    utimesSync(left, later, later)
    return takeLock(folder, () => Promise.resolve(meanwhile()))
  }
  expect(await take(() => utimesSync(left, later + 5, later + 5))).toEqual({
    heldBy: 'process 7 of elsewhere, which was active within the last minute',
  })
  const free = await take(() => {})
  if ('heldBy' in free) throw new Error(free.heldBy)
  await free.lock.release()
  expect(holders()).toEqual([])
})

test.each(['{"k":"page","changes":[{"id":"x"', '\0\0\0\0\0\0', '{"k":"done","id":"b"}'])(
  'a pump goes on after a torn last line: %j',
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

test('after a failed write nothing is appended', async () => {
  const own = await hold()
  await own.append('one', true)
  mkdirSync(join(folder, 'journal.next'))
  await expect(own.replace(['two'])).rejects.toThrow('EISDIR')
  await expect(own.append('three', true)).rejects.toThrow('an earlier write to the store failed')
  await own.release()
})

test('after a full disk only replace is accepted, and then the store works again', async () => {
  mkdirSync(folder, { recursive: true })
  symlinkSync('/dev/full', join(folder, 'journal.jsonl'))
  const own = await hold()
  await expect(own.append('one', true)).rejects.toThrow('ENOSPC')
  await expect(own.append('two', true)).rejects.toThrow('an earlier write to the store failed')
  await own.replace(['three'])
  await own.append('four', true)
  await own.release()
  expect(await fileStore(folder).read()).toEqual(['three', 'four'])
})

test('a holder that was wrongly taken for dead stops writing', async () => {
  const own = await hold()
  await own.append('one', true)
  // As another container does after a minute without a sign of life.
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

test('an empty lock file, left by a power cut, holds the store for a minute only', async () => {
  await (await hold()).release()
  const left = join(folder, 'held-by-0f0f')
  writeFileSync(left, '')
  expect(await fileStore(folder).acquire()).toMatchObject({ heldBy: expect.stringContaining('another process') })
  utimesSync(left, 0, 0)
  await (await hold()).release()
  expect(holders()).toEqual([])
})

test('a holder whose file cannot be read is not taken for dead', async () => {
  await (await hold()).release()
  mkdirSync(join(folder, 'held-by-0f0f'))
  expect(await fileStore(folder).acquire()).toMatchObject({ heldBy: expect.stringContaining('another process') })
})
