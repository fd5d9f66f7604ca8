import { createPartitions, type MigrationSet, sqlMigration } from '@sealpost/postgres'
import { OUTBOX_PARTITIONS } from './partitions.ts'

/** Keys and party names sort by bytes: two databases page through the same lanes and must agree on their order. */
const create = `
create schema bus;

create table bus.self (
  only_row    boolean     primary key default true check (only_row),
  party       text        not null,
  incarnation bigint      not null,
  raised_at   timestamptz not null
);

create table bus.peer (
  party                 text   collate "C" primary key,
  incarnation           bigint not null,
  reconciled_own           bigint,
  reconciled_peer          bigint,
  exchanged_key         text   collate "C",
  exchanged_incarnation bigint,
  held                  text,
  held_at               timestamptz
);

create table bus.lane (
  target        text    collate "C" not null,
  key           text    collate "C" not null,
  incarnation   bigint  not null,
  last_seq      bigint  not null,
  last_id       uuid    not null,
  previous_id   uuid,
  confirmed_seq bigint  not null default 0,
  pending       boolean not null,
  not_before    timestamptz,
  primary key (target, key, incarnation)
) with (fillfactor = 80);
create index lane_pending on bus.lane (target, key, incarnation) where pending;

create table bus.outbox (
  partition   smallint    not null,
  day         date        not null,
  target      text        collate "C" not null,
  key         text        collate "C" not null,
  incarnation bigint      not null,
  seq         bigint      not null,
  id          uuid        not null,
  previous_id uuid,
  kind        text        not null,
  version     integer     not null,
  body        text        not null,
  attachment  jsonb,
  traceparent text,
  told_at     timestamptz not null,
  primary key (target, key, incarnation, seq, partition)
) partition by list (partition);
${createPartitions('bus.outbox', OUTBOX_PARTITIONS)}

-- The days whose rows are still in the outbox; clear_at: since when none of them is unconfirmed.
create table bus.outbox_day (
  day      date primary key,
  clear_at timestamptz
);

create table bus.inbox_lane (
  source           text    collate "C" not null,
  key              text    collate "C" not null,
  incarnation      bigint  not null,
  applied_seq      bigint  not null default 0,
  applied_id       uuid,
  applied_at       timestamptz,
  failing_since    timestamptz,
  failing_attempts integer not null default 0,
  failing_kind     text,
  failing_error    text,
  retry_at         timestamptz,
  primary key (source, key, incarnation)
) with (fillfactor = 80);
create index inbox_lane_failing on bus.inbox_lane (failing_since) where failing_since is not null;

create table bus.loss (
  peer          text        collate "C" not null,
  key           text        collate "C" not null,
  incarnation   bigint      not null,
  from_seq      bigint      not null,
  to_seq        bigint      not null,
  what          text        not null check (what in ('not_received', 'forgotten', 'doubtful')),
  found_at      timestamptz not null,
  reconciled_at timestamptz,
  primary key (peer, key, incarnation, from_seq, what)
);
create index loss_open on bus.loss (found_at) where reconciled_at is null;

create table bus.ask_outcome (
  source     text        not null,
  id         text        not null,
  command    text        not null,
  outcome    text,
  expires_at timestamptz not null,
  primary key (source, id)
);
create index ask_outcome_expires on bus.ask_outcome (expires_at);

create table bus.seat (
  name   text primary key,
  holder text not null,
  until  timestamptz not null
);
`

export const busMigrations: MigrationSet = { '0000_bus_create': sqlMigration(create) }
