/** Only for the bare side: messages that were written and not sent yet, those that were applied, and hints for devices. */
export const BARE_TABLES = `
create schema if not exists bench;
create table if not exists bench.outbox (id uuid primary key, subject text not null, body text not null);
create table if not exists bench.inbox (id uuid primary key);
create table if not exists bench.head (account_id uuid primary key, last_seq bigint not null);
create table if not exists bench.hint (account_id uuid, seq bigint, kind text not null, object_id uuid not null,
  at timestamptz not null, primary key (account_id, seq));
create table if not exists bench.asked (id uuid primary key, outcome text);`

/** In the company's region. */
export const SERVICE = {
  published: `select v.version, v.definition from flows_service.flow f
    join flows_service.version v on v.company_id = f.company_id and v.service_id = f.service_id and v.flow_id = f.id
      and v.version = f.published_version
    where f.company_id = $1 and f.service_id = $2 and f.id = $3`,
  pinned: `select definition from flows_service.version
    where company_id = $1 and service_id = $2 and flow_id = $3 and version = $4`,
  lockConnections: `select id, customer_id, customer_region, public_key from connections_service.connection
    where service_id = $1 and id = any($2::uuid[]) order by id for update`,
  insertRun: `insert into flows_service.run (service_id, id, company_id, flow_id, flow_version, status, current_node,
      awaits_owner, output_mode, reference_date, connection_id, private_slugs, rev, created_at, updated_at)
    values ($1, $2, $3, $4, $5, 'awaiting_us', 'ask', true, 'data_only', $6, $7, '{}', 1, $8, $8)`,
  insertParticipants: `insert into flows_service.participant (service_id, run_id, place, party_key, user_id,
      connection_id, region, public_key)
    select $1, $2, * from unnest($3::int[], $4::text[], $5::uuid[], $6::uuid[], $7::text[], $8::text[])`,
  lockRun: `select status, current_node, flow_version, rev::int from flows_service.run
    where service_id = $1 and id = $2 for update`,
  participants: `select party_key, user_id, connection_id, region from flows_service.participant
    where service_id = $1 and run_id = $2 order by place`,
  insertAnswer: `insert into flows_service.answer (service_id, run_id, slug, party_key, value, is_private, is_linked, at)
    values ($1, $2, $3, $4, $5, false, false, $6)`,
  updateRun: `update flows_service.run set status = $3, current_node = $4, awaits_owner = false, rev = $5, updated_at = $6
    where service_id = $1 and id = $2`,
  claim: 'insert into bench.asked (id) values ($1)',
  storeOutcome: 'update bench.asked set outcome = $2 where id = $1',
  insertTells: 'insert into bench.outbox (id, subject, body) select * from unnest($1::uuid[], $2::text[], $3::text[])',
  deleteTells: 'delete from bench.outbox where id = any($1::uuid[])',
}

/** In the customers' region. */
export const CUSTOMER = {
  apply: 'insert into bench.inbox (id) values ($1)',
  lockConnection: `select service_id, company_id, company_region from connections_customer.connection
    where account_id = $1 and id = $2 for update`,
  insertRun: `insert into flows_customer.run (account_id, id, user_type, connection_id, company_id, company_region,
      service_id, service_code, start, state, rev)
    values ($1, $2, $3, $4, $5, 'eu', $6, 'CODE', $7, $8, $9)`,
  insertKeys: `insert into flows_customer.party_key (account_id, user_id, public_key)
    select $1, * from unnest($2::uuid[], $3::text[]) on conflict (account_id, user_id) do nothing`,
  findRun: `select start, state from flows_customer.run where account_id = $1 and id = $2`,
  lockRun: `select rev::int from flows_customer.run where account_id = $1 and id = $2 for update`,
  insertAnswer: `insert into flows_customer.answer (account_id, run_id, slug, rev, place, value)
    values ($1, $2, $3, $4, 0, $5) on conflict (account_id, run_id, slug) do nothing`,
  advanceHints: `insert into bench.head as head (account_id, last_seq) values ($1, 1)
    on conflict (account_id) do update set last_seq = head.last_seq + 1 returning last_seq`,
  insertHint: 'insert into bench.hint (account_id, seq, kind, object_id, at) values ($1, $2, $3, $4, now())',
  updateRun: 'update flows_customer.run set state = $3, rev = $4 where account_id = $1 and id = $2',
}

/** In both. */
export const FEED = {
  advance: `insert into feed.head as head (owner_id, account_id, kind, last_no) values ($1, $2, $3, 1)
    on conflict (owner_id) do update set last_no = head.last_no + 1 returning last_no`,
  insertEvent: `insert into feed.event (owner_id, no, partition, id, kind, connection_id, payload, at)
    values ($1, $2, $3, $4, $5, $6, $7, $8)`,
}
