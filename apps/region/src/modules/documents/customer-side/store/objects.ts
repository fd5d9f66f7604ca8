import type { ObjectKey } from '@sealpost/objects'
import { type Read, runStatement } from '@sealpost/postgres'

/** The objects that rows of this side refer to, in their order; for the comparison with the store. */
export async function listCopyObjects(read: Read, after: string, limit: number): Promise<readonly ObjectKey[]> {
  const rows = await runStatement<{ key: ObjectKey }>(
    read,
    `(select file->>'objectKey' as key from documents_customer.copy where file->>'objectKey' > $1 order by 1 limit $2)
    union all
    (select file->>'objectKey' from documents_customer.broadcast where file->>'objectKey' > $1 order by 1 limit $2)
    order by 1 limit $2`,
    [after, limit],
  )
  return rows.map(({ key }) => key)
}
