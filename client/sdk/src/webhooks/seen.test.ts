import { expect, test } from 'vitest'
import { memoryStore } from '../pump/line-store.ts'
import { seenInStore } from './seen.ts'

test('a line that a crash tore is dropped, and the store opens again however often', async () => {
  const store = memoryStore()
  const taken = await store.acquire()
  if ('heldBy' in taken) throw new Error(taken.heldBy)
  await taken.hold.replace(['content:aa', 'webhook-id:one', 'cont'])
  await taken.hold.release()
  for (const added of ['content:bb', 'content:cc']) {
    const seen = await seenInStore(store)
    expect(await seen.has(['webhook-id:one'])).toBe(true)
    await seen.add([added])
    await seen.close()
  }
  expect(await store.read()).toEqual(['content:aa', 'webhook-id:one', 'content:bb', 'content:cc'])
})
