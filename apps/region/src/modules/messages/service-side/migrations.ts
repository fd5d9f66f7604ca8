import { type MigrationSet, sqlMigration } from '@sealpost/postgres'

export const serviceSideMigrations: MigrationSet = {
  '1700_messages_service_create': sqlMigration(`
    create schema messages_service;

    -- Written under the lock of the connection. An ended one keeps its row without messages.
    create table messages_service.thread (
      service_id uuid not null,
      connection_id uuid not null,
      messages bigint not null default 0,
      unread bigint not null default 0,
      seq bigint not null default 0,
      is_ended boolean not null default false,
      primary key (service_id, connection_id)
    );

    create table messages_service.message (
      service_id uuid not null,
      connection_id uuid not null,
      id uuid not null,
      sender text not null check (sender in ('person', 'company')),
      -- Orders the messages of one sender.
      seq bigint not null,
      -- Sealed to the key of the service.
      body text,
      created_at timestamptz not null,
      read_at timestamptz,
      primary key (service_id, connection_id, id),
      check (sender = 'company' or body is not null)
    );
    create index message_unread on messages_service.message (service_id, connection_id, sender, seq)
      where read_at is null;

    create table messages_service.broadcast (
      service_id uuid not null,
      id uuid not null,
      body text not null,
      recipients bigint not null,
      created_at timestamptz not null,
      primary key (service_id, id)
    );

    -- By an operator.
    create table messages_service.suspension (
      service_id uuid not null,
      what text not null check (what in ('messages', 'broadcasts')),
      since timestamptz not null,
      primary key (service_id, what)
    );
  `),
  '2250_messages_service_closed': sqlMigration(`
    -- Of an ended connection whose messages are kept; null in rows of the previous release, which deleted them.
    alter table messages_service.thread add column connected_at timestamptz;
    alter table messages_service.thread add column ended_at timestamptz;
    -- The service has deleted its copies up to then.
    alter table messages_service.thread add column cleared_at timestamptz;
    create index thread_ended on messages_service.thread (ended_at) where ended_at is not null;
  `),
  // For what waits for staff.
  '2420_messages_service_unread': sqlMigration(`
    create index thread_unread on messages_service.thread (service_id) where unread > 0;
  `),
}
