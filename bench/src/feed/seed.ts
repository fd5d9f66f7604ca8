import { withClient } from '@sealpost/testkit'
import type { Client } from 'pg'
import { vacuum } from '../database.ts'

/** Whether events carry ids in their payload, or are about a value that is read when they are rendered. */
export type Family = 'ids' | 'fields'

export interface Feeds {
  readonly family: Family
  readonly companyId: string
  /** The number of services, each with a feed. */
  readonly owners: number
  /** Events per feed. */
  readonly rows: number
}

/** Three values per customer: a feed has a third as many customers as events. */
const SLUGS = ['first_name', 'last_name', 'city']
/** The age of the oldest event, below the retention of seven days. */
const SPREAD_MS = 6 * 86_400_000
const BATCH_ROWS = 100_000

/**
 * Fills all feeds in parallel, event by event, as services that are used at the same time do: the events of one feed are
 * far apart on disk and in several partitions.
 */
export async function seedFeeds(
  databaseUrl: string,
  feeds: Feeds,
  onProgress: (done: number) => void = () => {},
): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    await seedServices(client, feeds)
    if (feeds.family === 'fields') await seedSlots(client, feeds)
    await seedEvents(client, feeds, { from: 1, at: (no) => Date.now() - SPREAD_MS * (1 - no / feeds.rows) }, onProgress)
    await vacuumFeeds(client)
  })
}

/** Appends events with the present time to the feeds. */
export async function addEvents(databaseUrl: string, feeds: Feeds, from: number): Promise<void> {
  await withClient(databaseUrl, (client) => seedEvents(client, feeds, { from, at: () => Date.now() }))
}

/** The data client of a seeded service. */
export function clientIdOf({ family }: Pick<Feeds, 'family'>, owner: number): string {
  return `svc_Bench${family}${String(owner).padStart(16, '0')}`
}

/** Random ids of the real form: ids of neighbouring events must not be neighbours in an index. */
const FUNCTIONS = `
create or replace function pg_temp.id(name text) returns uuid language sql immutable as
  $$ select overlay(overlay(md5(name) placing '7' from 13) placing '8' from 17)::uuid $$;
create or replace function pg_temp.text(name text, length integer) returns text language sql immutable as
  $$ select rpad(md5(name), length, 'q7Zr+Xw2') $$`

async function seedServices(client: Client, { family, companyId, owners }: Feeds): Promise<void> {
  await client.query(FUNCTIONS)
  const values = [companyId, family, owners]
  await client.query(
    `insert into services.service (company_id, id, name, share_code, admin_email, audience, number_matching, require_2fa,
      public_key, encrypted_private_key, rev, state, created_at)
    select s.company_id, pg_temp.id($2 || o), 'Service ' || o, upper(substr($2, 1, 1)) || o, s.admin_email, s.audience,
      s.number_matching, s.require_2fa, $2 || o, s.encrypted_private_key, 1, 'active', s.created_at
    from (select * from services.service where company_id = $1 order by created_at limit 1) as s, generate_series(1, $3::int) as o`,
    values,
  )
  await client.query(
    `insert into services.request_row (company_id, service_id, id, place, slug, label, type, one_time, mandatory_provide,
      mandatory_connected, audience, verified)
    select $1, pg_temp.id($2 || o), pg_temp.id($2 || o || slug), place, slug, slug, 'text', false, false, false, 'both', false
    from generate_series(1, $3::int) as o, unnest($4::text[]) with ordinality as named (slug, place)`,
    [...values, SLUGS],
  )
  await client.query(
    `insert into access.client (company_id, client_id, kind, service_id, epoch, patterns)
    select c.company_id, 'svc_Bench' || $2 || lpad(o::text, 16, '0'), c.kind, pg_temp.id($2 || o), c.epoch, c.patterns
    from (select * from access.client where company_id = $1 and kind = 'svc' order by client_id desc limit 1) as c,
      generate_series(1, $3::int) as o`,
    values,
  )
}

/** The customers of the events, with wrappers of the real size. */
async function seedSlots(client: Client, { family, companyId, owners, rows }: Feeds): Promise<void> {
  const customers = Math.ceil(rows / SLUGS.length)
  const step = Math.max(1, Math.floor(BATCH_ROWS / owners / SLUGS.length))
  for (let from = 0; from < customers; from += step) {
    const values = [companyId, family, owners, from, Math.min(customers, from + step) - 1]
    await client.query(
      `insert into connections_service.connection (service_id, id, company_id, customer_id, customer_region, customer_type,
        share_code, display_name, public_key, connected_at)
      select pg_temp.id($2 || o), pg_temp.id($2 || o || 'c' || c), $1, pg_temp.id($2 || o || 'p' || c), 'us', 'person',
        'C' || o || 'N' || c, 'Customer ' || c, 'A', '2026-01-01'
      from generate_series($4::int, $5::int) as c, generate_series(1, $3::int) as o order by c, o`,
      values,
    )
    await client.query(
      `insert into connections_service.slot (service_id, connection_id, request_field_id, state, rev, live, is_private, value,
        updated_at, provided_at)
      select pg_temp.id($1 || o), pg_temp.id($1 || o || 'c' || c), pg_temp.id($1 || o || slug), 'answered', 1, true, true,
        '{"_enc":1,"k":"' || pg_temp.text('k' || o || c || slug, 344) || '","iv":"' || substr(md5(c::text), 1, 16)
          || '","d":"' || pg_temp.text('d' || o || c || slug, 152) || '"}', '2026-01-01', '2026-01-01'
      from generate_series($3::int, $4::int) as c, generate_series(1, $2::int) as o, unnest($5::text[]) as slug
      order by c, o, slug`,
      [family, owners, values[3], values[4], SLUGS],
    )
  }
}

interface EventRange {
  /** The number of the first event. */
  readonly from: number
  readonly at: (no: number) => number
}

async function seedEvents(
  client: Client,
  feeds: Feeds,
  { from: first, at }: EventRange,
  onProgress: (done: number) => void = () => {},
): Promise<void> {
  const { family, owners, rows } = feeds
  await client.query(FUNCTIONS)
  const step = Math.max(1, Math.floor(BATCH_ROWS / owners))
  for (let from = 0; from < rows; from += step) {
    const to = Math.min(rows, from + step)
    const atMs = Math.round(at(first + from))
    const partition = Math.floor(atMs / 86_400_000) % 10
    await client.query(family === 'ids' ? ID_EVENTS : FIELD_EVENTS, [
      family,
      owners,
      first + from,
      first + to - 1,
      partition,
      atMs,
      ...(family === 'ids' ? [] : [SLUGS]),
    ])
    onProgress(to * owners)
  }
  await client.query(
    `insert into feed.head as head (owner_id, account_id, kind, last_no)
    select pg_temp.id($1 || o), $2, 'service', $4::bigint from generate_series(1, $3::int) as o
    on conflict (owner_id) do update set last_no = excluded.last_no, is_due = head.has_webhook_queues`,
    [family, feeds.companyId, owners, first + rows - 1],
  )
}

const INTO = 'insert into feed.event (owner_id, no, partition, id, kind, key, connection_id, payload, at)'
const NUMBERED = 'generate_series($3::bigint, $4::bigint) as no, generate_series(1, $2::int) as o'

const ID_EVENTS = `${INTO}
select pg_temp.id($1 || o), no, $5::smallint, pg_temp.id($1 || o || 'e' || no),
  case no % 3 when 0 then 'connection_created' when 1 then 'flow_run_turn' else 'document_created' end, null,
  pg_temp.id($1 || o || 'c' || no), jsonb_build_object('person_user_id', pg_temp.id($1 || o || 'p' || no), 'share_code', 'MARAXX')
    || case no % 3 when 0 then '{"customer_type":"person"}'
      when 1 then jsonb_build_object('flow_run_id', pg_temp.id($1 || o || 'r' || no), 'awaiting_party', 'customer')
      else jsonb_build_object('document_id', pg_temp.id($1 || o || 'd' || no), 'name', 'Rental contract, second version',
        'kind', 'agreement', 'payload_kind', 'file') end,
  to_timestamp($6 / 1000.0)
from ${NUMBERED} order by no, o`

/** Each event has its own key, so that none is collapsed. */
const FIELD_EVENTS = `${INTO}
select pg_temp.id($1 || o), no, $5::smallint, pg_temp.id($1 || o || 'e' || no), 'field_updated',
  pg_temp.id($1 || o || 'k' || no), pg_temp.id($1 || o || 'c' || (no - 1) / 3),
  jsonb_build_object('person_user_id', pg_temp.id($1 || o || 'p' || (no - 1) / 3), 'share_code', 'MARAXX',
    'slug', slug, 'request_field_id', pg_temp.id($1 || o || slug)),
  to_timestamp($6 / 1000.0)
from ${NUMBERED}, lateral (select ($7::text[])[1 + no % 3] as slug) as named order by no, o`

async function vacuumFeeds(client: Client): Promise<void> {
  await vacuum(client, 'feed.event', 'feed.head', 'feed.channel', 'feed.page')
  await vacuum(client, 'connections_service.connection', 'connections_service.slot', 'services.request_row')
}
