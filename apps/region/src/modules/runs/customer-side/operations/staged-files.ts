import { instant, Secret } from '@sealpost/kernel'
import { copyIn, parseSha256 } from '@sealpost/objects'
import { removeAll } from '../../../../platform/remove-all.ts'
import { findUsableConnection, isOfSender } from '../../../connections/index.ts'
import { announceObject, discardObjects, keepObject } from '../../../vault/index.ts'
import type { CustomerContext, Offer } from '../context.ts'
import type { ConnectedName, StoredFile } from '../model.ts'
import { deleteUnusedFiles, findFile, insertFile } from '../store/files.ts'

const LINK_SECONDS = 300
const DAY_MS = 24 * 3_600_000
const AT_ONCE = 200
/** Holds a sealed envelope of the largest allowed document. */
const LARGEST_BYTES = 64 * 1024 * 1024

/** Copies a file here that the service made from what this customer shared; false for a customer that is not connected. */
export async function stageFile(
  context: CustomerContext,
  staged: ConnectedName & Offer & { readonly file: string },
): Promise<boolean> {
  const connection = await context.database.read((read) =>
    findUsableConnection(read, { accountId: staged.accountId, id: staged.connectionId }),
  )
  if (connection === null || !isOfSender(connection, staged)) return false
  const sha256 = parseSha256(staged.sha256)
  if (sha256 === null || staged.bytes > LARGEST_BYTES) return false
  const key = await announceObject(context)
  const expected = { key, sha256, maxBytes: staged.bytes, contentType: 'application/json' }
  const copied = await copyIn(context, new Secret(staged.url), expected)
  if (!copied.ok) return false
  await context.database.transaction(async (tx) => {
    await keepObject(tx, key)
    await insertFile(tx, {
      accountId: staged.accountId,
      id: staged.file,
      serviceId: staged.serviceId,
      runId: null,
      slug: null,
      objectKey: key,
      sha256,
      bytes: copied.value.sizeBytes,
      isUsed: false,
      createdAt: context.clock.now(),
    })
  })
  return true
}

/** For the region of the service only, which decides who may read the copy. */
export async function offerStaged(
  context: CustomerContext,
  { accountId, serviceId }: ConnectedName,
  id: string,
): Promise<Offer | null> {
  const file = await context.database.read((read) => findFile(read, accountId, id))
  return file === null || file.serviceId !== serviceId ? null : offerFile(context, file)
}

export async function offerFile(
  { objects }: Pick<CustomerContext, 'objects'>,
  { objectKey, sha256, bytes }: StoredFile,
): Promise<Offer> {
  return { url: (await objects.presignGet(objectKey, LINK_SECONDS)).reveal(), sha256, bytes }
}

/** Chore: files that no run or answer used within a day. */
export async function tidyCustomerFiles({ database, clock }: CustomerContext): Promise<void> {
  const before = instant(clock.now() - DAY_MS)
  await removeAll(AT_ONCE, (limit) =>
    database.transaction(async (tx) => {
      const keys = await deleteUnusedFiles(tx, before, limit)
      await discardObjects(tx, keys, clock.now())
      return keys.length
    }),
  )
}
