import { type MigrationSet, sqlMigration } from '@sealpost/postgres'

export const customerSideMigrations: MigrationSet = {
  '1701_messages_customer_create': sqlMigration(`
    create schema messages_customer;

    -- Written under the lock of the connection. An ended one keeps its row without messages.
    create table messages_customer.thread (
      account_id uuid not null,
      connection_id uuid not null,
      messages bigint not null default 0,
      unread bigint not null default 0,
      seq bigint not null default 0,
      is_ended boolean not null default false,
      primary key (account_id, connection_id)
    );

    create table messages_customer.message (
      account_id uuid not null,
      connection_id uuid not null,
      id uuid not null,
      sender text not null check (sender in ('person', 'company')),
      -- Orders the messages of one sender.
      seq bigint not null,
      -- Sealed to the key of the customer.
      body text,
      created_at timestamptz not null,
      read_at timestamptz,
      primary key (account_id, connection_id, id),
      check (sender = 'person' or body is not null)
    );
    create index message_unread on messages_customer.message (account_id, connection_id, sender, seq)
      where read_at is null;

    -- Once for all customers of the service in this region.
    create table messages_customer.broadcast (
      service_id uuid not null,
      company_region text not null,
      id uuid not null,
      body text not null,
      created_at timestamptz not null,
      primary key (service_id, company_region, id)
    );
  `),
  '2150_messages_customer_broadcast_reads': sqlMigration(`
    -- False for broadcasts from before they had receipts: they count as read.
    alter table messages_customer.broadcast add column has_receipts boolean not null default false;

    -- Broadcasts of the connection up to this id are read; a row for each time that some of them became read.
    create table messages_customer.broadcast_read (
      account_id uuid not null,
      connection_id uuid not null,
      up_to uuid not null,
      read_at timestamptz not null,
      primary key (account_id, connection_id, up_to)
    );
  `),
  '2251_messages_customer_closed': sqlMigration(`
    -- Of an ended connection whose messages are kept; null in rows of the previous release, which deleted them.
    alter table messages_customer.thread add column service_id uuid;
    alter table messages_customer.thread add column company_region text;
    alter table messages_customer.thread add column connected_at timestamptz;
    alter table messages_customer.thread add column ended_at timestamptz;
    -- The customer has deleted its copies up to then.
    alter table messages_customer.thread add column cleared_at timestamptz;
    create index thread_ended on messages_customer.thread (ended_at) where ended_at is not null;

    -- The service has ended: its broadcasts are kept as long as the threads that show them.
    alter table messages_customer.broadcast add column ended_at timestamptz;
    create index broadcast_ended on messages_customer.broadcast (ended_at) where ended_at is not null;
  `),
}
