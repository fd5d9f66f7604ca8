import { type MigrationSet, sqlMigration } from '@sealpost/postgres'

export const customerMigrations: MigrationSet = {
  '1300_connections_customer_create': sqlMigration(`
    create schema connections_customer;

    -- Per customer: the number of open connections, and the number of the last name that was told.
    create table connections_customer.customer (
      account_id uuid primary key,
      connections bigint not null,
      name_rev bigint not null
    );

    -- \`opening\`: the service was asked and has not confirmed yet.
    create table connections_customer.connection (
      account_id uuid not null,
      id uuid not null,
      user_type text not null check (user_type in ('person', 'company')),
      state text not null check (state in ('opening', 'open')),
      service_id uuid not null,
      company_id uuid not null,
      company_region text not null,
      company_public_key text,
      -- The key that the customer's devices seal to; the key of a service never changes.
      service_public_key text not null,
      -- The name in the ask to the service.
      display_name text not null,
      -- Identifies the call that opened it, so that a repetition is recognised.
      opened_by text,
      request_id uuid,
      -- The last number given to a change of a slot.
      rev bigint not null,
      created_at timestamptz not null,
      connected_at timestamptz,
      primary key (account_id, id),
      check ((state = 'open') = (connected_at is not null))
    );
    create unique index connection_open_pair on connections_customer.connection (account_id, service_id)
      where state = 'open';
    create index connection_service on connections_customer.connection (service_id, account_id, id);
    create index connection_opening_since on connections_customer.connection (created_at) where state = 'opening';

    -- The customer's decision about a request row. Without a row it is pending.
    create table connections_customer.mapping (
      account_id uuid not null,
      connection_id uuid not null,
      request_field_id uuid not null,
      state text not null check (state in ('answered', 'declined')),
      kind text check (kind in ('linked', 'typed', 'one_time')),
      live boolean not null,
      source_field_id uuid,
      rev bigint not null,
      -- The source has changed since the value was sealed for a connection that is not open yet.
      is_stale boolean not null,
      provided_at timestamptz not null,
      primary key (account_id, connection_id, request_field_id),
      foreign key (account_id, connection_id) references connections_customer.connection (account_id, id) on delete cascade,
      check ((state = 'answered') = (kind is not null))
    );
    create index mapping_source on connections_customer.mapping (account_id, source_field_id)
      where source_field_id is not null and live;

    -- This region's copy of the facts of a service, shared by all its customers here. The row of an ended service stays.
    create table connections_customer.service_card (
      service_id uuid primary key,
      company_id uuid not null,
      company_region text not null,
      rev bigint not null,
      facts jsonb not null,
      -- The time of the last new request row.
      rows_at timestamptz not null,
      is_ended boolean not null
    );

    create table connections_customer.connect_request (
      account_id uuid not null,
      id uuid not null,
      company_id uuid not null,
      company_region text not null,
      service_id uuid not null,
      company_name text not null,
      company_code text,
      service_name text not null,
      service_code text not null,
      message text,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      primary key (account_id, id)
    );
    create index connect_request_service on connections_customer.connect_request (service_id);
    create index connect_request_expires_at on connections_customer.connect_request (expires_at);
  `),
  // A note of the customer's device to the account's other devices, under a key that no server has.
  '1510_connections_customer_device_record': sqlMigration(`
    alter table connections_customer.connection add column device_record text;
  `),
  // Fields that answers of flows follow.
  '1923_connections_customer_flow_links': sqlMigration(`
    create table connections_customer.flow_link (
      account_id uuid not null,
      connection_id uuid not null,
      flow_id uuid not null,
      slug text not null,
      -- Of the connection's counter, so it is unique among the links of the connection.
      rev bigint not null,
      type text not null,
      source_field_id uuid not null,
      lane text not null check (lane in ('inline', 'photo', 'document')),
      -- False until the turn with the answer is confirmed.
      is_open boolean not null,
      -- The source has changed since the answer was sealed, and the turn is not confirmed.
      is_stale boolean not null,
      linked_at timestamptz not null,
      primary key (account_id, connection_id, rev),
      foreign key (account_id, connection_id) references connections_customer.connection (account_id, id) on delete cascade
    );
    create unique index flow_link_open on connections_customer.flow_link (account_id, connection_id, flow_id, slug)
      where is_open;
    create index flow_link_source on connections_customer.flow_link (account_id, source_field_id);
    create index flow_link_announced on connections_customer.flow_link (linked_at) where not is_open;
  `),
  '2140_connections_customer_decisions': sqlMigration(`
    -- The digest of the decision of a consent, as it was sent: a repeated call is recognized. Null for other answers.
    alter table connections_customer.mapping add column decision_sha256 bytea;
  `),
}
