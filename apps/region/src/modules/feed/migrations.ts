import { createPartitions, type MigrationSet, sqlMigration } from '@sealpost/postgres'

export const feedMigrations: MigrationSet = {
  '1100_feed_create': sqlMigration(`
    create schema feed;

    create table feed.head (
      owner_id uuid primary key,
      account_id uuid not null,
      kind text not null check (kind in ('service', 'account')),
      last_no bigint not null,
      last_channel integer not null default 0,
      has_webhook_queues boolean not null default false,
      is_due boolean not null default false,
      deleted_at timestamptz
    ) with (fillfactor = 70);
    create index head_due on feed.head (owner_id) where is_due;
    create index head_webhook_queues on feed.head (account_id) where has_webhook_queues;

    create table feed.event (
      owner_id uuid not null,
      no bigint not null,
      partition smallint not null,
      id uuid not null,
      kind text not null,
      key uuid,
      connection_id uuid,
      payload jsonb not null,
      at timestamptz not null,
      primary key (owner_id, no, partition)
    ) partition by list (partition);
    create index event_key on feed.event (owner_id, key, no) where key is not null;
    create index event_age on feed.event using brin (at) with (autosummarize = on);
    ${createPartitions('feed.event')}

    create table feed.channel (
      owner_id uuid not null,
      no integer not null,
      listener text,
      cursor bigint not null,
      gone int8multirange not null default '{}',
      version bigint not null default 0,
      used_at timestamptz not null,
      webhook_id uuid,
      kinds text[],
      parked_to bigint,
      replay_to bigint not null default 0,
      state text not null default 'running' check (state in ('running', 'bad', 'unknown')),
      since timestamptz,
      is_enabled boolean not null default false,
      is_paused boolean not null default false,
      is_suspended boolean not null default false,
      due_at timestamptz,
      lease_until timestamptz,
      token integer not null default 0,
      epoch integer not null default 0,
      retry_epoch integer not null default 0,
      alert_at timestamptz,
      purged_at timestamptz,
      primary key (owner_id, no)
    ) with (fillfactor = 50);
    create unique index channel_listener on feed.channel (owner_id, listener) where listener is not null;
    create index channel_used on feed.channel (used_at) where listener is not null;
    create unique index channel_webhook on feed.channel (webhook_id) where webhook_id is not null;
    create index channel_due on feed.channel (state, due_at) where due_at is not null;
    create index channel_lease on feed.channel (lease_until) where lease_until is not null;
    create index channel_alert on feed.channel (alert_at) where alert_at is not null;

    create table feed.subscription (
      owner_id uuid not null,
      channel integer not null,
      no bigint generated always as identity,
      from_no bigint not null,
      to_no bigint,
      kinds text[],
      primary key (owner_id, channel, no)
    );
    create index subscription_closed on feed.subscription (owner_id) where to_no is not null;

    create table feed.page (
      owner_id uuid not null,
      id uuid not null,
      channel integer not null,
      attempt_id text,
      row_limit integer not null,
      chosen int8multirange not null,
      covers int8multirange not null,
      lease_no integer not null default 1,
      leased_until timestamptz,
      made_at timestamptz not null,
      primary key (owner_id, id)
    );
    create unique index page_attempt on feed.page (owner_id, attempt_id) where attempt_id is not null;
    create index page_made on feed.page (made_at);
    create index page_leased on feed.page (owner_id, channel) where leased_until is not null;
  `),
  '1525_feed_quarantine_create': sqlMigration(`
    create table feed.quarantined_event (
      owner_id uuid not null,
      no bigint not null,
      account_id uuid not null,
      owner_kind text not null check (owner_kind in ('service', 'account')),
      event_id uuid not null,
      kind text not null,
      key uuid,
      connection_id uuid,
      payload jsonb not null,
      at timestamptz not null,
      reader text not null,
      reason text not null,
      quarantined_at timestamptz not null,
      ended_at timestamptz,
      primary key (owner_id, no)
    );
    create index quarantined_event_id on feed.quarantined_event (event_id);
    create index quarantined_event_age on feed.quarantined_event (quarantined_at);
  `),
}
