import { isBinary } from '@sealpost/field-types'
import { instant, type UserId } from '@sealpost/kernel'
import { refuse } from '@sealpost/protocol'
import { fileCaps } from '../../../settings.ts'
import { lockAccountForShare } from '../../account/index.ts'
import { type ContactField, loadRegistry } from '../../registry/index.ts'
import type { VaultContext } from '../context.ts'
import { keepObject } from '../garbage/index.ts'
import { invalid, refuseValue } from '../rules/refusals.ts'
import { handleOf } from '../rules/shares.ts'
import { laneOf, validateSealedFile } from '../rules/values.ts'
import { countStagedBytes, insertShare } from '../store/shares.ts'
import { storeFile } from './files.ts'

const KEPT_MS = 24 * 3_600_000
/** Per account: room for a large document and forty services that follow it. */
const STAGED_GIB = 2
const STAGED_BYTES_MAX = STAGED_GIB * 1024 ** 3

/** Stores a sealed file ahead of the edit that shares it; answers its handle. */
export async function stageShare(
  vault: VaultContext,
  accountId: UserId,
  field: ContactField,
  value: unknown,
): Promise<{ readonly file: string }> {
  const { registry, stagedBytes } = await vault.database.read(async (read) => ({
    registry: await loadRegistry(read),
    stagedBytes: await countStagedBytes(read, accountId),
  }))
  const lane = laneOf(registry, field.type)
  if (!isBinary({ lane })) throw invalid('/body/value', 'is for files; put the wrapper into the share itself')
  const validated = validateSealedFile(value, lane, fileCaps(vault.settings))
  if (!validated.ok) throw refuseValue(validated.refusal, '/body/value')
  if (stagedBytes > STAGED_BYTES_MAX)
    throw invalid(
      '/body/value',
      `exceeds the ${STAGED_GIB} GiB that an account may stage: use the staged files, or wait a day`,
    )
  const file = await storeFile(vault, true, validated.value.text)
  const id = vault.ids.uuid()
  const answer = { file: handleOf(id) }
  const expiresAt = instant(vault.clock.now() + KEPT_MS)
  await vault.database.transaction(async (tx) => {
    if (!(await lockAccountForShare(tx, accountId))) throw refuse('auth.token_invalid')
    await keepObject(tx, file.objectKey)
    await insertShare(tx, { accountId, fieldId: field.id, id, expiresAt, ...file })
    await tx.storeAnswer(answer)
  })
  return answer
}
