import { isBinary } from '@sealpost/field-types'
import { instant, type UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import { holdAccount } from '../account/index.ts'
import { type ContactField, loadRegistry } from '../registry/index.ts'
import { nameHandle } from './edit.ts'
import { keepObject } from './garbage/index.ts'
import type { VaultNeeds } from './needs.ts'
import { storeAnswer } from './objects.ts'
import { invalid, refuseValue } from './refusals.ts'
import { judgeSealedFile, laneOf } from './rules.ts'
import { countStagedBytes, insertShare } from './store/shares.ts'

const KEPT_MS = 24 * 3_600_000
/** Per account: room for a large document and forty services that follow it. */
const STAGED_BYTES_MAX = 2 * 1024 ** 3

/** A sealed file ahead of the edit that shares it; `keep` runs in the transaction that makes the handle. */
export async function stageShare(
  needs: VaultNeeds,
  accountId: UserId,
  field: ContactField,
  value: unknown,
  keep: (tx: Tx, handle: string) => Promise<void>,
): Promise<string> {
  const { registry, stagedBytes } = await needs.database.read(async (read) => ({
    registry: await loadRegistry(read),
    stagedBytes: await countStagedBytes(read, accountId),
  }))
  const lane = laneOf(registry, field.type)
  if (!isBinary({ lane })) throw invalid('/body/value', 'is for files; put the wrapper into the share itself')
  const judged = judgeSealedFile(value, lane, needs.caps)
  if (!judged.ok) throw refuseValue(judged.refusal, '/body/value')
  if (stagedBytes > STAGED_BYTES_MAX)
    throw invalid('/body/value', 'would be one too many: use what is staged, or wait a day')
  const file = await storeAnswer(needs, true, judged.value.text)
  const id = needs.ids.uuid()
  const expiresAt = instant(needs.clock.now() + KEPT_MS)
  await needs.database.transaction(async (tx) => {
    if (!(await holdAccount(tx, accountId))) throw refuse('auth.token_invalid')
    await keepObject(tx, file.objectKey)
    await insertShare(tx, { accountId, fieldId: field.id, id, expiresAt, ...file })
    await keep(tx, nameHandle(id))
  })
  return nameHandle(id)
}
