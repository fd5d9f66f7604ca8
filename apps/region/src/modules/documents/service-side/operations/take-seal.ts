import { createHash } from 'node:crypto'
import { accept, decline, type Result } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import type { ActRefusal, DocumentAct } from '@sealpost/protocol'
import { keepObject } from '../../../vault/index.ts'
import type { PreparedSeal, SealId, StoredDocument } from '../model.ts'
import { needsSeal } from '../rules/acts.ts'
import { takePreparedSeal } from '../store/prepared-seals.ts'

interface SealedAct {
  readonly before: StoredDocument
  readonly act: DocumentAct
  readonly sealId: SealId | null
  /** The number of acts before this one. */
  readonly acts: number
}

/** The seal that was prepared for exactly this act; null when the act needs none. */
export async function takeSeal(
  tx: Tx,
  { before, act, sealId, acts }: SealedAct,
): Promise<Result<PreparedSeal | null, ActRefusal>> {
  if (!needsSeal(before) || (act.act !== 'sign' && act.act !== 'accept')) return accept(null)
  const seal = sealId === null ? null : await takePreparedSeal(tx, before.serviceId, sealId)
  if (seal === null || seal.documentId !== before.id) return decline('seal_failed')
  const isCurrent = seal.contentRev === before.contentRev && seal.acts === acts && seal.actSha256 === digestOfAct(act)
  if (!isCurrent) return decline('seal_failed')
  await keepObject(tx, seal.objectKey)
  return accept(seal)
}

export function digestOfAct(act: DocumentAct): string {
  return createHash('sha256').update(JSON.stringify(act)).digest('hex')
}
