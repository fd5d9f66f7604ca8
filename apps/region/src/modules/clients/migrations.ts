import { type MigrationSet, sqlMigration } from '@sealpost/postgres'

export const clientsMigrations: MigrationSet = {
  '0600_clients_create': sqlMigration(`
    create schema clients;

    -- A copy of the client at the directory as of \`rev\`; README.md says how the two stay consistent.
    create table clients.client (
      company_id uuid not null,
      -- The order in which clients are listed.
      id uuid not null,
      client_id text not null unique,
      kind text not null check (kind in ('svc', 'acct', 'idw')),
      service_id uuid,
      name text not null,
      purpose text,
      capabilities text[] not null,
      redirect_uris text[] not null,
      is_confidential boolean not null,
      rev bigint not null,
      state text not null check (state in ('begun', 'live', 'ending')),
      created_at timestamptz not null,
      primary key (company_id, id),
      unique (company_id, client_id)
    );
    create unique index client_live_service on clients.client (service_id) where kind = 'svc' and state = 'live';

    -- A purpose belongs to the first client that became live with it.
    create table clients.purpose (
      company_id uuid not null,
      purpose text not null,
      client_id text not null,
      primary key (company_id, purpose),
      foreign key (company_id, client_id) references clients.client (company_id, client_id) on delete cascade
    );

    -- Changes that the directory was asked for. A row that stays belongs to a process that stopped and is reconciled.
    create table clients.pending_change (
      company_id uuid not null,
      client_id text not null,
      id uuid not null,
      started_at timestamptz not null,
      -- The secret that the change sets, sealed to the company's recovery key.
      sealed_secret text,
      primary key (company_id, client_id, id),
      foreign key (company_id, client_id) references clients.client (company_id, client_id) on delete cascade
    );
    create index pending_change_started on clients.pending_change (started_at);

    create table clients.signin_app (
      company_id uuid not null,
      client_id text not null,
      require_2fa boolean not null,
      claims_delivery text not null check (claims_delivery in ('encrypted', 'plaintext')),
      claims jsonb not null,
      public_key text not null,
      encrypted_private_key jsonb not null,
      primary key (company_id, client_id),
      foreign key (company_id, client_id) references clients.client (company_id, client_id) on delete cascade
    );
  `),
  // Apps with a secret could use detached requests before they were a property of an app.
  '0601_clients_allows_detached': sqlMigration(`
    alter table clients.client add column allows_detached boolean not null default false
      check (not allows_detached or (kind = 'idw' and is_confidential));
    update clients.client set allows_detached = true where kind = 'idw' and is_confidential;
  `),
}
