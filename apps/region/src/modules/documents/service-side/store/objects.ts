import type { ObjectKey } from '@sealpost/objects'
import { type Read, runStatement } from '@sealpost/postgres'

/** The objects that rows of this side refer to, in their order; for the comparison with the store. */
export async function listDocumentObjects(read: Read, after: string, limit: number): Promise<readonly ObjectKey[]> {
  const rows = await runStatement<{ key: ObjectKey }>(
    read,
    `(select raw_file->>'objectKey' as key from documents_service.document
      where raw_file->>'objectKey' > $1 order by 1 limit $2)
    union all
    (select answer_file->>'objectKey' from documents_service.document
      where answer_file->>'objectKey' > $1 order by 1 limit $2)
    order by 1 limit $2`,
    [after, limit],
  )
  return rows.map(({ key }) => key)
}
