import { listAttachedObjects } from '@sealpost/bus'
import type { ObjectKey } from '@sealpost/objects'
import type { Read } from '@sealpost/postgres'
import { listLinkObjects, listSlotObjects } from '../modules/connections/index.ts'
import { listCopyObjects, listDocumentObjects } from '../modules/documents/index.ts'
import { listAssetObjects } from '../modules/flows/index.ts'
import { listRunFileObjects, listRunObjects } from '../modules/runs/index.ts'
import { listGarbage, listVaultObjects } from '../modules/vault/index.ts'
import type { Platform } from '../platform/module.ts'

/** An object on which the database and the store differ. */
export interface Difference {
  readonly key: ObjectKey
  /** `missing`: a row refers to it and the store does not have it. `unknown`: in the store, and the database knows it not. */
  readonly kind: 'missing' | 'unknown'
}

export interface Compared {
  /** Objects that rows refer to. */
  readonly referred: number
  /** Objects in the store. */
  readonly stored: number
}

const AT_ONCE = 1000
/** The objects that rows of each module refer to. */
const REFERRED: readonly List[] = [
  listVaultObjects,
  listSlotObjects,
  listLinkObjects,
  listDocumentObjects,
  listCopyObjects,
  listAssetObjects,
  listRunObjects,
  listRunFileObjects,
]
/** Each check of unknown objects reads the whole outbox. */
const CHECKED_AT_ONCE = 500

/**
 * Reads both in the order of keys, page by page, so that memory does not grow with the store. Objects come and go while a
 * region runs, so each difference is checked again before it is reported.
 */
export async function compareObjects(
  platform: Pick<Platform, 'database' | 'objects'>,
  onDifference: (difference: Difference) => Promise<void>,
): Promise<Compared> {
  const store = await startSource((after) => listStored(platform, after))
  const used = await Promise.all(REFERRED.map((list) => startSource((after) => listRows(platform, list, after))))
  const listed = await startSource((after) => listRows(platform, listGarbage, after))
  const count = { referred: 0, stored: 0 }
  let doubtful: ObjectKey[] = []
  const reportUnknown = async (): Promise<void> => {
    const keys = doubtful
    doubtful = []
    for (const key of await findUnknown(platform, keys)) await onDifference({ key, kind: 'unknown' })
  }
  for (;;) {
    const key = leastOf([store, ...used, listed])
    if (key === null) break
    const isStored = await store.skip(key)
    const isReferred = (await Promise.all(used.map((source) => source.skip(key)))).includes(true)
    const isListed = await listed.skip(key)
    if (isStored) count.stored += 1
    if (isReferred) count.referred += 1
    if (isReferred && !isStored && !(await platform.objects.head(key)).ok) await onDifference({ key, kind: 'missing' })
    if (isStored && !isReferred && !isListed) doubtful.push(key)
    if (doubtful.length >= CHECKED_AT_ONCE) await reportUnknown()
  }
  await reportUnknown()
  return count
}

/**
 * An object is announced before it is stored, so one in the store is on the list of garbage, in use, or attached to a tell.
 * It may move from each of these to the next, and back to the list: checked in this order, an object that is found nowhere
 * is unknown or has come to the list meanwhile, where it is not entered twice.
 */
async function findUnknown(
  { database }: Pick<Platform, 'database'>,
  keys: readonly ObjectKey[],
): Promise<readonly ObjectKey[]> {
  if (keys.length === 0) return []
  const unknown: ObjectKey[] = []
  for (const key of keys) {
    const isKnown = await database.read(async (read) => {
      for (const list of [listGarbage, ...REFERRED]) if (await isIn(read, list, key)) return true
      return false
    })
    if (!isKnown) unknown.push(key)
  }
  const attached = await database.read(listAttachedObjects)
  return unknown.filter((key) => !attached.has(key))
}

/** Keys are random, so the next one after all but the last character is the key itself, if it is there. */
async function isIn(read: Read, list: List, key: ObjectKey): Promise<boolean> {
  const [next] = await list(read, key.slice(0, -1), 1)
  return next === key
}

/** Keys in their order, of which the first is looked at. */
interface Source {
  first(): ObjectKey | null
  /** Passes the key; false when it is not the first. */
  skip(key: ObjectKey): Promise<boolean>
}

/** `fetchPage` answers the keys after `after`, at least one if there are any. */
async function startSource(fetchPage: (after: string) => Promise<readonly ObjectKey[]>): Promise<Source> {
  let page = await fetchPage('')
  let at = 0
  const first = (): ObjectKey | null => page[at] ?? null
  return {
    first,
    async skip(key) {
      if (first() !== key) return false
      // Two rows may refer to one object.
      while (first() === key) {
        at += 1
        if (at < page.length) continue
        page = await fetchPage(key)
        at = 0
      }
      return true
    },
  }
}

function leastOf(sources: readonly Source[]): ObjectKey | null {
  const firsts = sources.flatMap((source) => source.first() ?? [])
  return firsts.toSorted()[0] ?? null
}

/** Pages without objects of ours are passed over. */
async function listStored({ objects }: Pick<Platform, 'objects'>, after: string): Promise<readonly ObjectKey[]> {
  let from: string | null = after
  while (from !== null) {
    const page = await objects.list({ limit: AT_ONCE, ...(from === '' ? {} : { after: from }) })
    if (page.objects.length > 0) return page.objects.map(({ key }) => key)
    from = page.next
  }
  return []
}

type List = (read: Read, after: string, limit: number) => Promise<readonly ObjectKey[]>

function listRows({ database }: Pick<Platform, 'database'>, list: List, after: string): Promise<readonly ObjectKey[]> {
  return database.read((read) => list(read, after, AT_ONCE))
}
