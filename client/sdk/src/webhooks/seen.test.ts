import { expect, test } from 'vitest'
import { CLOCK, SECRET, signDelivery } from '../../test/signed-delivery.ts'
import { wrappedStore } from '../../test/wrapped-store.ts'
import { type LineStore, memoryStore } from '../pump/line-store.ts'
import { openReceiver } from './receiver.ts'
import { seenInStore } from './seen.ts'

async function storeOf(lines: readonly string[]): Promise<LineStore> {
  const store = memoryStore()
  const taken = await store.acquire()
  if ('heldBy' in taken) throw new Error(taken.heldBy)
  await taken.hold.replace(lines)
  await taken.hold.release()
  return store
}

test('a torn line is ignored, and the store opens again any number of times', async () => {
  const store = await storeOf(['content:aa', 'webhook-id:one', 'cont'])
  for (const added of ['content:bb', 'content:cc']) {
    const seen = await seenInStore(store)
    expect(await seen.has(['webhook-id:one'])).toBe(true)
    await seen.add([added])
    await seen.close()
  }
  expect(await store.read()).toEqual(['content:aa', 'webhook-id:one', 'content:bb', 'content:cc'])
})

test('lines that a power cut damaged in the middle are ignored too', async () => {
  const seen = await seenInStore(await storeOf(['content:aa', '\0\0\0\0', 'content:bb', 'conte']))
  expect([await seen.has(['content:aa']), await seen.has(['content:bb'])]).toEqual([true, true])
})

/** A disk that can be full: an append then writes a part, which stays the last line. */
function fullDisk(inner: LineStore): LineStore & { isFull: boolean } {
  let isTorn = false
  const refuse = (): Promise<never> => Promise.reject(new Error('ENOSPC: no space left on device'))
  const written = wrappedStore(inner, (hold) => ({
    async append(line, isDurable) {
      if (isTorn) throw new Error('left as it is')
      if (!disk.isFull) return hold.append(line, isDurable)
      isTorn = true
      await hold.append(line.slice(0, 3), false)
      return refuse()
    },
    async replace(lines) {
      if (disk.isFull) return refuse()
      await hold.replace(lines)
      isTorn = false
    },
  }))
  const disk = { ...written, isFull: false }
  return disk
}

test('a handled delivery that could not be stored is not handled again, and the store recovers with the disk', async () => {
  const inner = memoryStore()
  const disk = fullDisk(inner)
  const handled: string[] = []
  const errors: unknown[] = []
  const seen = await seenInStore(disk)
  const receiver = await openReceiver({
    secrets: [SECRET],
    clock: CLOCK,
    seen,
    handle: ({ id }) => void handled.push(id),
    onError: (error) => void errors.push(error),
  })
  const send = async (id: string) => {
    const event = { id, event: 'connection_deleted', share_code: id, at: '2026-05-01T09:30:00.000+00:00' }
    return (await receiver.receive(await signDelivery(event, { eventId: id }))).text
  }

  disk.isFull = true
  expect([await send('one'), await send('two')]).toEqual(['failed', 'failed'])
  expect(String(errors[0])).toContain('ENOSPC')
  expect(await send('one')).toBe('duplicate')
  expect(handled).toEqual(['one', 'two'])
  disk.isFull = false
  expect([await send('three'), await send('three')]).toEqual(['ok', 'duplicate'])
  await seen.close()

  const reopened = await seenInStore(inner)
  for (const id of ['one', 'two', 'three']) expect(await reopened.has([`webhook-id:${id}`])).toBe(true)
})
