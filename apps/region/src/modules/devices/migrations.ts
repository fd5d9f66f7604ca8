import { createPartitions, type MigrationSet, sqlMigration } from '@sealpost/postgres'
import { HINT_PARTITIONS } from './rules/retention.ts'

export const devicesMigrations: MigrationSet = {
  '1750_devices_create': sqlMigration(`
    create schema devices;

    -- Part of every event id. Raised when the region is restored from a backup, which may have lost numbers.
    create table devices.line (life integer not null);
    insert into devices.line (life) values (1);

    -- Numbers the hints of an account: its lock lasts until commit, so numbers are committed in order and without gaps.
    create table devices.head (
      account_id uuid primary key,
      last_seq bigint not null default 0,
      -- A hint to an account without one causes no push job.
      subscriptions integer not null default 0 check (subscriptions >= 0)
    );

    create table devices.hint (
      partition smallint not null,
      account_id uuid not null,
      seq bigint not null,
      kind text not null,
      object_id uuid not null,
      at timestamptz not null,
      primary key (account_id, seq, partition)
    ) partition by list (partition);
    ${createPartitions('devices.hint', HINT_PARTITIONS)}

    -- Without the private VAPID key of the region an endpoint accepts nothing.
    create table devices.subscription (
      account_id uuid not null,
      id uuid not null,
      device_id uuid not null,
      endpoint text not null,
      p256dh bytea not null,
      auth bytea not null,
      created_at timestamptz not null,
      primary key (account_id, id)
    );
    create unique index subscription_endpoint on devices.subscription (account_id, device_id, sha256(endpoint::bytea));
  `),
}
