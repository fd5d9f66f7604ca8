import { type MigrationSet, sqlMigration } from '@sealpost/postgres'

/** Deliveries lie on ten daily shelves, as the events of the feed do. */
const shelves = `
    create table webhooks.delivery_0 partition of webhooks.delivery for values in (0);
    create table webhooks.delivery_1 partition of webhooks.delivery for values in (1);
    create table webhooks.delivery_2 partition of webhooks.delivery for values in (2);
    create table webhooks.delivery_3 partition of webhooks.delivery for values in (3);
    create table webhooks.delivery_4 partition of webhooks.delivery for values in (4);
    create table webhooks.delivery_5 partition of webhooks.delivery for values in (5);
    create table webhooks.delivery_6 partition of webhooks.delivery for values in (6);
    create table webhooks.delivery_7 partition of webhooks.delivery for values in (7);
    create table webhooks.delivery_8 partition of webhooks.delivery for values in (8);
    create table webhooks.delivery_9 partition of webhooks.delivery for values in (9);`

export const webhooksMigrations: MigrationSet = {
  '1400_webhooks_create': sqlMigration(`
    create schema webhooks;

    create table webhooks.roster (
      company_id uuid not null,
      service_id uuid primary key,
      rows integer not null check (rows >= 0)
    );

    create table webhooks.endpoint (
      company_id uuid not null,
      service_id uuid not null,
      id uuid not null unique,
      url text not null,
      events text[] not null,
      format text not null check (format in ('json', 'xml')),
      auth_type text not null check (auth_type in ('hmac', 'bearer', 'basic', 'header', 'none')),
      encrypt_payload boolean not null,
      is_enabled boolean not null,
      secrets bytea not null,
      secrets_key_id text not null,
      last_error text,
      created_at timestamptz not null,
      primary key (service_id, id)
    );

    create table webhooks.delivery (
      service_id uuid not null,
      webhook_id uuid not null,
      id uuid not null,
      shelf smallint not null,
      event text not null,
      event_id uuid not null,
      kind text not null,
      http_status smallint,
      error_class text,
      duration_ms integer not null,
      at timestamptz not null,
      primary key (service_id, webhook_id, id, shelf)
    ) partition by list (shelf);
    create index delivery_age on webhooks.delivery using brin (at) with (autosummarize = on);
    ${shelves}
  `),
}
