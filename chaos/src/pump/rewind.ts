import { waitUntil, withClient } from '@sealpost/testkit'

const REWIND = `
with before as (
  select owner_id, no, cursor from feed.channel where owner_id = $1 and webhook_id is null for update)
update feed.channel c set cursor = greatest(c.cursor - $2, 0), gone = '{}', version = c.version + 1
from before where c.owner_id = before.owner_id and c.no = before.no
returning c.no, before.cursor`

const COUNT_BEHIND = `
select count(*)::int as behind from feed.channel c join unnest($2::int[], $3::int8[]) as b (no, cursor) using (no)
where c.owner_id = $1 and c.cursor < b.cursor`

/** The pump at the plain channel, and the listener. */
const READERS = 2

/**
 * Sets the plain channel and the listener of a service back by so many changes, as a restored backup does, and resolves
 * when their readers have read those again.
 */
export async function rewindReaders(
  url: string,
  serviceId: string,
  changes: number,
  deadlineMs: number,
): Promise<void> {
  await withClient({ connectionString: url, application_name: 'chaos-rewind' }, async (client) => {
    const { rows } = await client.query<{ no: number; cursor: string }>(REWIND, [serviceId, changes])
    if (rows.length !== READERS) throw new Error(`${rows.length} readers were set back instead of ${READERS}`)
    const before = [rows.map(({ no }) => no), rows.map(({ cursor }) => cursor)]
    await waitUntil('the changes are read again', deadlineMs, async () => {
      const { rows: found } = await client.query<{ behind: number }>(COUNT_BEHIND, [serviceId, ...before])
      return found[0]?.behind === 0
    })
  })
}
