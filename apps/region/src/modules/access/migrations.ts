import { type MigrationSet, sqlMigration } from '@sealpost/postgres'

export const accessMigrations: MigrationSet = {
  '0300_access_create': sqlMigration(`
    create schema access;

    create table access.client (
      company_id uuid not null,
      client_id text not null unique,
      kind text not null check (kind in ('svc', 'acct', 'idw')),
      service_id uuid,
      epoch integer not null,
      patterns text[] not null,
      primary key (company_id, client_id)
    );
    create unique index client_service on access.client (service_id) where kind = 'svc';

    -- One row: its lock puts all changes that gates must learn of into one order (see guard/README.md).
    create table access.revision (only_one boolean primary key default true check (only_one), value bigint not null);
    insert into access.revision (value) values (0);

    create table access.change (
      revision bigint primary key,
      subject text,
      at timestamptz not null
    );

    create table access.revoked_session (
      session_id text primary key,
      revision bigint not null,
      until timestamptz not null
    );
    create index revoked_session_revision on access.revoked_session (revision);

    create table access.switch (
      only_one boolean primary key default true check (only_one),
      writes_paused boolean not null default false,
      out_of_order boolean not null default false
    );
    insert into access.switch default values;

    create table access.guard (
      process_id uuid primary key,
      lease_until timestamptz not null,
      seen_revision bigint not null
    );

    create table access.signing_key (
      kid text primary key,
      jwk jsonb not null
    );
  `),
}
