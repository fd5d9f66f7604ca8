import { type MigrationSet, sqlMigration } from '@sealpost/postgres'

export const directoryMigrations: MigrationSet = {
  '0100_directory_create': sqlMigration(`
    create schema directory;

    create table directory.account (
      user_id uuid primary key,
      user_type text not null check (user_type in ('person', 'company')),
      region text not null,
      level text not null check (level in ('free', 'basic', 'pro', 'enterprise')),
      -- When the level changed last; null while it is the first one.
      level_changed_at timestamptz,
      -- Null once the account is erased. The row stays, so that its id and code are never given to another account.
      email_hash text unique,
      kdf jsonb,
      public_key text,
      share_code text not null unique,
      rev bigint not null default 0,
      deleted_at timestamptz
    );

    -- From where an account has logged in lately, as keyed hashes; such sources have a login limit of their own.
    create table directory.known_source (
      user_id uuid not null references directory.account (user_id) on delete cascade,
      source text not null,
      seen_at timestamptz not null,
      primary key (user_id, source)
    );
    create index known_source_seen on directory.known_source (seen_at);

    create table directory.client (
      client_id text primary key,
      kind text not null check (kind in ('svc', 'acct', 'idw')),
      user_id uuid not null references directory.account (user_id) on delete cascade,
      service_id uuid,
      name text not null,
      purpose text,
      capabilities text[] not null,
      patterns text[] not null,
      redirect_uris text[] not null,
      is_confidential boolean not null,
      secret_id uuid,
      secret_key_id text,
      secret_hash bytea,
      epoch integer not null default 1,
      rev bigint not null default 1,
      created_at timestamptz not null,
      check (kind <> 'svc' or service_id is not null),
      check (kind <> 'acct' or service_id is null),
      check (is_confidential or kind = 'idw'),
      check (is_confidential = (secret_id is not null)),
      check ((secret_id is null) = (secret_hash is null) and (secret_id is null) = (secret_key_id is null))
    );
    create unique index client_service on directory.client (service_id) where kind = 'svc';
    create index client_user on directory.client (user_id);

    create table directory.region_switch (
      region text primary key,
      out_of_order boolean not null default false
    );
  `),
  // Apps with a secret could use detached requests before they were a property of an app.
  '0101_directory_allows_detached': sqlMigration(`
    alter table directory.client add column allows_detached boolean not null default false
      check (not allows_detached or (kind = 'idw' and is_confidential));
    update directory.client set allows_detached = true where kind = 'idw' and is_confidential;
  `),
}
