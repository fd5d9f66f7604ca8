import { Client } from 'pg'

/** Reads a region's feed tables directly, not through the program under test. */
export interface FeedReader {
  /** The given ids that exist in the event log. */
  present(ids: readonly string[]): Promise<ReadonlySet<string>>
  /** Ids of the events that wait. */
  queued(): Promise<Queued>
  /** Ids of the webhooks for which events wait; `plain` for the pull channels. */
  waiting(): Promise<readonly string[]>
  close(): Promise<void>
}

export interface Queued {
  /** By webhook id. */
  readonly webhooks: ReadonlyMap<string, ReadonlySet<string>>
  /** By service id. */
  readonly plain: ReadonlyMap<string, ReadonlySet<string>>
}

/** Events after the cursor that are not delivered; collapsed ones included, because their rows still wait. */
const OPEN_ROWS = `
from feed.channel c join feed.event e on e.owner_id = c.owner_id and e.no > c.cursor and not e.no <@ c.gone
where c.listener is null and (c.webhook_id is null or exists (
  select from feed.subscription s
  where s.owner_id = c.owner_id and s.channel = c.no and e.no > s.from_no and e.no <= coalesce(s.to_no, e.no)
    and (s.kinds is null or e.kind = any (s.kinds))))`

/** A service whose plain channel was never drained has no channel row. */
const UNTOUCHED_ROWS = `
from feed.head h join feed.event e using (owner_id)
where not exists (select from feed.channel c where c.owner_id = h.owner_id and c.no = 0)`

export async function openFeedReader(url: string): Promise<FeedReader> {
  const client = new Client({ connectionString: url, application_name: 'chaos-reader' })
  client.on('error', () => {})
  await client.connect()
  return {
    async present(ids) {
      const sql = 'select id::text as id from feed.event where id = any ($1::uuid[])'
      const { rows } = await client.query<{ id: string }>(sql, [ids])
      return new Set(rows.map(({ id }) => id))
    },
    async queued() {
      const sql = `select c.owner_id::text as "serviceId", c.webhook_id::text as "webhookId", e.id::text as id ${OPEN_ROWS}
        union all select h.owner_id::text, null, e.id::text ${UNTOUCHED_ROWS}`
      const { rows } = await client.query<{ serviceId: string; webhookId: string | null; id: string }>(sql)
      return {
        webhooks: groupIds(rows.flatMap(({ webhookId, id }) => (webhookId === null ? [] : [[webhookId, id] as const]))),
        plain: groupIds(
          rows.flatMap(({ serviceId, webhookId, id }) => (webhookId === null ? [[serviceId, id] as const] : [])),
        ),
      }
    },
    async waiting() {
      const sql = `select distinct coalesce(c.webhook_id::text, 'plain') as name ${OPEN_ROWS}
        union select 'plain' ${UNTOUCHED_ROWS}`
      const { rows } = await client.query<{ name: string }>(sql)
      return rows.map(({ name }) => name)
    },
    close: () => client.end(),
  }
}

function groupIds(pairs: readonly (readonly [string, string])[]): ReadonlyMap<string, ReadonlySet<string>> {
  const groups = new Map<string, Set<string>>()
  for (const [name, id] of pairs) {
    const group = groups.get(name) ?? new Set()
    group.add(id)
    groups.set(name, group)
  }
  return groups
}
