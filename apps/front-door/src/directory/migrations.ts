import { type MigrationSet, sqlMigration } from '@sealpost/postgres'

export const directoryMigrations: MigrationSet = {
  '0100_directory_create': sqlMigration(`
    create schema directory;

    create table directory.account (
      user_id uuid primary key,
      user_type text not null check (user_type in ('person', 'company')),
      region text not null,
      level text not null check (level in ('free', 'basic', 'pro', 'enterprise')),
      rev bigint not null default 1
    );

    create table directory.client (
      client_id text primary key,
      kind text not null check (kind in ('svc', 'acct', 'idw')),
      user_id uuid not null references directory.account (user_id),
      service_id uuid,
      secret_key_id text not null,
      secret_hash bytea not null,
      epoch integer not null default 1,
      created_at timestamptz not null,
      check ((kind = 'svc') = (service_id is not null))
    );
    create unique index client_service on directory.client (service_id) where kind = 'svc';
    create index client_user on directory.client (user_id);

    create table directory.region_switch (
      region text primary key,
      out_of_order boolean not null default false
    );
  `),
}
