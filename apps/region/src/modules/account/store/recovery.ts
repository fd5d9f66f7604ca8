import type { Instant, UserId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { RecoveryKind } from '@sealpost/protocol'
import type { Slice } from '../../../platform/page.ts'
import type { RecoveryCopy } from '../model.ts'

export interface NewRecoveryCopy {
  readonly companyId: UserId
  /** Used if this secret has no copy yet. */
  readonly id: string
  readonly kind: RecoveryKind
  readonly refId: string
  readonly sealed: string
  readonly at: Instant
}

const COPY = `id, kind, ref_id as "refId", (extract(epoch from created_at) * 1000)::float8 as "createdAt"`

/** One copy per secret: the copy of a regenerated secret replaces the old one. */
export async function putRecoveryCopy(tx: Tx, copy: NewRecoveryCopy): Promise<RecoveryCopy> {
  const [row] = await runStatement<RecoveryCopy>(
    tx,
    `insert into account.recovery_copy (company_id, id, kind, ref_id, sealed, created_at)
    values ($1, $2, $3, $4, $5, to_timestamp($6 / 1000.0))
    on conflict (company_id, kind, ref_id) do update set sealed = excluded.sealed, created_at = excluded.created_at
    returning ${COPY}`,
    [copy.companyId, copy.id, copy.kind, copy.refId, copy.sealed, copy.at],
  )
  if (row === undefined) throw new Error('a recovery copy was neither inserted nor replaced')
  return row
}

/** Part of the deletion of a client, service, webhook or app. */
export async function deleteRecoveryCopies(tx: Tx, companyId: UserId, refId: string): Promise<void> {
  await runStatement(tx, 'delete from account.recovery_copy where company_id = $1 and ref_id = $2', [companyId, refId])
}

/** Oldest first. */
export function listRecoveryRows(
  read: Read,
  companyId: UserId,
  { after, offset, limit }: Slice,
): Promise<readonly RecoveryCopy[]> {
  return runStatement<RecoveryCopy>(
    read,
    `select ${COPY} from account.recovery_copy where company_id = $1 and ($2::uuid is null or id > $2)
    order by id offset $3 limit $4`,
    [companyId, after, offset, limit],
  )
}

/** A sealed secret and the wrapped key that opens it. */
export interface Recoverable {
  readonly sealed: string
  readonly encryptedRecoveryKey: { readonly iv: string; readonly data: string }
}

export async function findRecoverable(read: Read, companyId: UserId, id: string): Promise<Recoverable | null> {
  const [row] = await runStatement<Recoverable>(
    read,
    `select c.sealed, a.encrypted_recovery_key as "encryptedRecoveryKey"
    from account.recovery_copy c join account.account a on a.id = c.company_id
    where c.company_id = $1 and c.id = $2`,
    [companyId, id],
  )
  return row ?? null
}
