import { joinMigrations, type MigrationSet, sqlMigration } from '@sealpost/postgres'
import { garbageMigrations } from './garbage/migrations.ts'
import { photoMigrations } from './photos/migrations.ts'

const valueMigrations: MigrationSet = {
  '1000_vault_create': sqlMigration(`
    create schema if not exists vault;

    -- One sequence for all values, so that the rev of a field that was emptied and filled again still rises.
    create sequence vault.value_rev;

    create table vault.value (
      account_id uuid not null,
      field_id uuid not null,
      rev bigint not null,
      is_private boolean not null,
      -- A wrapper to the owner's key, the text of a company, or a file in an object.
      kind text not null check (kind in ('sealed', 'plain', 'object')),
      content text,
      object_key text unique,
      sha256 text,
      bytes integer,
      form text check (form in ('sealed', 'clear')),
      -- Digest of the call that wrote the row: a repeated call is recognised.
      call_sha256 text not null,
      verified_hash text,
      verified_salt text,
      verified_at timestamptz,
      verified_expires_at timestamptz,
      verified_method text,
      verified_provider text,
      verification_id text,
      updated_at timestamptz not null,
      primary key (account_id, field_id),
      check ((kind = 'object') = (content is null)),
      check ((kind = 'object') = (object_key is not null and sha256 is not null and bytes is not null and form is not null)),
      check ((verified_hash is null) = (verified_salt is null) and (verified_hash is null) = (verified_at is null))
    );
    create index value_verified_expires on vault.value (verified_expires_at) where verified_expires_at is not null;

    -- A sealed file for one slot, uploaded ahead of the edit that names it.
    create table vault.staged_share (
      account_id uuid not null,
      id uuid not null,
      field_id uuid not null,
      object_key text not null unique,
      sha256 text not null,
      bytes integer not null,
      expires_at timestamptz not null,
      primary key (account_id, id)
    );
    create index staged_share_expires on vault.staged_share (expires_at);

    -- One per field and provider. A confirmed verification stays until it expires, so that it cannot be used twice.
    create table vault.verification (
      account_id uuid not null,
      id uuid not null,
      field_id uuid not null,
      provider text not null,
      field_type text not null,
      challenge text,
      -- The hash of a mailed code and the address that it was mailed to.
      key_id text,
      hash bytea,
      email text,
      tries integer not null default 0,
      expires_at timestamptz not null,
      confirmed_at timestamptz,
      primary key (account_id, id),
      unique (account_id, field_id, provider)
    );
    create index verification_expires on vault.verification (expires_at);
  `),
  // The signed statement of a provider, so that services can verify it themselves.
  '1500_vault_verified_statement': sqlMigration(`
    alter table vault.value add column verified_statement text;
  `),
  // The salted hash of a text that the platform sees once and does not store: a phone number.
  '1530_vault_verification_hash': sqlMigration(`
    alter table vault.verification add column text_salt text, add column text_hash text;
  `),
}

const storedBytesMigrations: MigrationSet = {
  '1030_vault_stored_bytes_create': sqlMigration(`
    -- The bytes of an account's own objects: files of its values, and photos. Changed with them, in one transaction.
    create table vault.stored_bytes (
      account_id uuid primary key,
      bytes bigint not null check (bytes >= 0),
      checked_at timestamptz not null
    );
    create index stored_bytes_checked on vault.stored_bytes (checked_at);
    insert into vault.stored_bytes (account_id, bytes, checked_at)
    select account_id, sum(bytes), to_timestamp(0) from (
      select account_id, bytes::bigint from vault.value where kind = 'object'
      union all select account_id, full_bytes::bigint + card_bytes from vault.photo
    ) as objects group by account_id;
  `),
}

export const vaultMigrations: MigrationSet = joinMigrations(
  valueMigrations,
  garbageMigrations,
  photoMigrations,
  storedBytesMigrations,
)
