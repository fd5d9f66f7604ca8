import { type MigrationSet, sqlMigration } from '@sealpost/postgres'

export const accountMigrations: MigrationSet = {
  '0200_account_create': sqlMigration(`
    create schema account;

    create table account.account (
      id uuid primary key,
      user_type text not null check (user_type in ('person', 'company')),
      email text not null,
      -- Unique: the directory never assigns one address to two accounts.
      email_hash text not null unique,
      display_name text not null,
      language text not null,
      level text not null check (level in ('free', 'basic', 'pro', 'enterprise')),
      share_code text not null,
      kdf jsonb not null,
      -- Rises with every kdf, so that the directory keeps the newest one.
      kdf_rev integer not null default 0,
      public_key text,
      encrypted_private_key jsonb,
      recovery_public_key text,
      encrypted_recovery_key jsonb,
      created_at timestamptz not null,
      check ((public_key is null) = (encrypted_private_key is null)),
      check ((recovery_public_key is null) = (encrypted_recovery_key is null)),
      -- Companies only, and required there: secrets that the server makes for it are sealed to the recovery key.
      check (user_type = 'person' or (public_key is not null and recovery_public_key is not null))
    );

    -- The references prevent inserts while the account is erased.
    create table account.delegate (
      company_id uuid not null references account.account (id),
      id uuid not null,
      user_id uuid not null,
      user_region text not null,
      share_code text not null,
      public_key text,
      role text not null check (role in ('admin', 'operator')),
      created_at timestamptz not null,
      primary key (company_id, id),
      unique (company_id, user_id)
    );
    create index delegate_user on account.delegate (user_id);

    create table account.delegate_service (
      company_id uuid not null,
      delegate_id uuid not null,
      service_id uuid not null,
      -- The passphrase of the service, sealed to the delegate; null until it is handed over.
      sealed text,
      primary key (company_id, delegate_id, service_id),
      foreign key (company_id, delegate_id) references account.delegate (company_id, id) on delete cascade
    );

    create table account.recovery_copy (
      company_id uuid not null references account.account (id),
      id uuid not null,
      kind text not null check (kind in
        ('client_secret', 'service_passphrase', 'webhook_secret', 'app_secret', 'app_passphrase')),
      ref_id text not null,
      sealed text not null,
      created_at timestamptz not null,
      primary key (company_id, id),
      unique (company_id, kind, ref_id)
    );

    create table account.audit (
      company_id uuid not null,
      seq integer not null,
      actor_id text not null,
      action text not null,
      ref text,
      at timestamptz not null,
      primary key (company_id, seq)
    );

    -- The last number of each log: the order of its rows, and their total without counting.
    create table account.audit_head (
      company_id uuid primary key references account.account (id),
      seq integer not null
    );
  `),
  '0201_account_memberships': sqlMigration(`
    -- Whether the delegate's home knows of it; false for rows of a release that tells nothing.
    alter table account.delegate add column is_told boolean not null default false;
    create index delegate_untold on account.delegate (company_id, id) where not is_told;

    -- The companies for which a user of this region may act, as their regions have told. The reference prevents a row of
    -- an erased user.
    create table account.membership (
      user_id uuid not null references account.account (id),
      company_id uuid not null,
      region text not null,
      display_name text not null,
      role text not null check (role in ('admin', 'operator')),
      services uuid[] not null,
      primary key (user_id, company_id)
    );
  `),
  '0202_account_audit_filters': sqlMigration(`
    -- Null for the account as a whole, and in rows of a release that did not store it.
    alter table account.audit add column service_id uuid;
    create index audit_action on account.audit (company_id, action, seq);
    create index audit_actor on account.audit (company_id, actor_id, seq);
    create index audit_service on account.audit (company_id, service_id, seq) where service_id is not null;

    -- The names of delegates, as their homes have told. They outlast the delegate: the log names who was one.
    create table account.delegate_name (
      company_id uuid not null references account.account (id),
      user_id uuid not null,
      user_region text not null,
      display_name text not null,
      primary key (company_id, user_id)
    );
    create index delegate_name_user on account.delegate_name (user_id);
  `),
}
