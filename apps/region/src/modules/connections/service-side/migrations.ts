import { type MigrationSet, sqlMigration } from '@sealpost/postgres'

export const serviceSideMigrations: MigrationSet = {
  '1200_connections_service_create': sqlMigration(`
    create schema connections_service;

    create table connections_service.connection (
      service_id uuid not null,
      id uuid not null,
      company_id uuid not null,
      customer_id uuid not null,
      customer_region text not null,
      customer_type text not null check (customer_type in ('person', 'company')),
      share_code text not null,
      display_name text not null,
      -- Numbers the names: an older name has no effect.
      name_rev bigint not null default 0,
      public_key text not null,
      connected_at timestamptz not null,
      open_contracts integer not null default 0 check (open_contracts >= 0),
      primary key (service_id, id),
      unique (service_id, customer_id)
    );
    create index connection_customer on connections_service.connection (customer_id);
    create index connection_contracts on connections_service.connection (service_id) where open_contracts > 0;

    -- A customer's decision about a request row. Without a row it is pending.
    create table connections_service.slot (
      service_id uuid not null,
      connection_id uuid not null,
      request_field_id uuid not null,
      state text not null check (state in ('answered', 'declined')),
      rev bigint not null,
      live boolean not null,
      is_private boolean not null,
      -- Sealed to the service; null for a file.
      value text,
      -- Null after a file that was shared once has expired; its digest stays.
      object_key text,
      content_sha256 text,
      bytes bigint,
      content_type text,
      form text check (form in ('sealed', 'envelope', 'raw')),
      attested jsonb,
      updated_at timestamptz not null,
      provided_at timestamptz not null,
      expires_at timestamptz,
      primary key (service_id, connection_id, request_field_id),
      foreign key (service_id, connection_id) references connections_service.connection (service_id, id),
      check ((state = 'answered') = ((value is not null) <> (content_sha256 is not null)))
    );
    create index slot_expiry on connections_service.slot (expires_at) where object_key is not null and expires_at is not null;

    -- The number of customers of a service per region, and the revision of the facts that customers may know.
    create table connections_service.customer_region (
      service_id uuid not null,
      region text not null,
      customers integer not null check (customers >= 0),
      rev bigint not null,
      primary key (service_id, region)
    );

    -- The last request of a service to a person.
    create table connections_service.connect_request (
      service_id uuid not null,
      customer_id uuid not null,
      company_id uuid not null,
      id uuid not null,
      customer_region text not null,
      share_code text not null,
      state text not null check (state in ('pending', 'accepted', 'rejected', 'closed')),
      created_at timestamptz not null,
      expires_at timestamptz not null,
      answered_at timestamptz,
      primary key (service_id, customer_id)
    );
    create index connect_request_age on connections_service.connect_request (expires_at);

    -- Files copied here before the connection that will use them exists.
    create table connections_service.taken_file (
      service_id uuid not null,
      object_key text not null,
      content_sha256 text not null,
      bytes bigint not null,
      created_at timestamptz not null,
      primary key (service_id, object_key)
    );
    create index taken_file_age on connections_service.taken_file (created_at);

    -- Connections of customers who have deleted their account.
    create table connections_service.erased_connection (
      service_id uuid not null,
      connection_id uuid not null,
      customer_id uuid not null,
      primary key (service_id, connection_id)
    );
    create index erased_customer on connections_service.erased_connection (service_id, customer_id);
  `),
  // The signature of the customer's device over the sealed value; null without one.
  '1505_connections_service_sender_signature': sqlMigration(`
    alter table connections_service.slot add column sender_signature text;
  `),
  // To compare the rows with the object store after a restore.
  '1506_connections_service_slot_objects': sqlMigration(`
    create index slot_object on connections_service.slot (object_key) where object_key is not null;
  `),
  // Documents may name their customer by the code.
  '1602_connections_service_share_code': sqlMigration(`
    create index connection_share_code on connections_service.connection (service_id, share_code);
  `),
  // Values that completed runs of flows have brought.
  '1921_connections_service_flow_values': sqlMigration(`
    create table connections_service.flow_value (
      service_id uuid not null,
      connection_id uuid not null,
      slug text not null,
      flow_id uuid not null,
      run_id uuid not null,
      -- The request field that it fills; null without one.
      request_field_id uuid,
      type text not null,
      is_private boolean not null,
      -- Sealed to the service; null for a file, which stays with the run.
      value text,
      content_sha256 text,
      attested jsonb,
      updated_at timestamptz not null,
      provided_at timestamptz not null,
      primary key (service_id, connection_id, slug),
      foreign key (service_id, connection_id) references connections_service.connection (service_id, id) on delete cascade,
      check ((value is null) <> (content_sha256 is null))
    );
    create index flow_value_run on connections_service.flow_value (service_id, run_id);
  `),
  '1924_connections_service_flow_links': sqlMigration(`
    -- The current copies of fields that answers of flows follow. Without content a link was withdrawn.
    create table connections_service.flow_link (
      service_id uuid not null,
      connection_id uuid not null,
      flow_id uuid not null,
      slug text not null,
      rev bigint not null,
      type text not null,
      -- The last run with a linked answer, and whether it has completed.
      run_id uuid,
      is_shared boolean not null,
      is_private boolean not null,
      value text,
      -- Null for a file that the run holds.
      object_key text,
      content_sha256 text,
      bytes bigint,
      content_type text,
      form text check (form in ('sealed', 'envelope', 'raw')),
      attested jsonb,
      updated_at timestamptz not null,
      primary key (service_id, connection_id, flow_id, slug),
      foreign key (service_id, connection_id) references connections_service.connection (service_id, id),
      check (value is null or content_sha256 is null)
    );
    create index flow_link_run on connections_service.flow_link (service_id, run_id);
    create index flow_link_object on connections_service.flow_link (object_key) where object_key is not null;
    alter table connections_service.flow_value add column live boolean not null default false;
  `),
}
