import { createPartitions, type MigrationSet, sqlMigration } from '@sealpost/postgres'

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
      partition smallint not null,
      event text not null,
      event_id uuid not null,
      kind text not null,
      http_status smallint,
      error_class text,
      duration_ms integer not null,
      at timestamptz not null,
      primary key (service_id, webhook_id, id, partition)
    ) partition by list (partition);
    create index delivery_age on webhooks.delivery using brin (at) with (autosummarize = on);
    ${createPartitions('webhooks.delivery')}
  `),
}
