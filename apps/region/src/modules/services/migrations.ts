import { type MigrationSet, sqlMigration } from '@sealpost/postgres'

export const servicesMigrations: MigrationSet = {
  '0400_services_create': sqlMigration(`
    create schema services;

    create table services.service (
      company_id uuid not null,
      id uuid not null unique,
      name text not null,
      share_code text not null check (share_code ~ '^[A-Z0-9]{1,8}$'),
      admin_email text not null,
      audience text not null check (audience in ('person', 'company', 'both')),
      number_matching boolean not null,
      require_2fa boolean not null,
      public_key text not null,
      encrypted_private_key jsonb not null,
      rev bigint not null,
      -- A service that is being deleted is no longer found; its code is free when the row is gone.
      state text not null check (state in ('active', 'deleting')),
      created_at timestamptz not null,
      primary key (company_id, id),
      unique (company_id, share_code),
      unique (company_id, public_key)
    );

    -- The number of active services of a company: the total of its list.
    create table services.company (
      company_id uuid primary key,
      services integer not null check (services >= 0)
    );

    -- The published rows. A removed row stays in its job until its contents are deleted.
    create table services.request_row (
      company_id uuid not null,
      service_id uuid not null,
      id uuid not null,
      place integer not null,
      slug text not null,
      label text not null,
      type text not null,
      one_time boolean not null,
      mandatory_provide boolean not null,
      mandatory_connected boolean not null,
      audience text not null check (audience in ('person', 'company', 'both')),
      verified boolean not null,
      verified_max_age_days integer,
      plugin jsonb,
      primary key (service_id, id),
      unique (service_id, slug),
      foreign key (company_id, service_id) references services.service (company_id, id)
    );

    create table services.share_field (
      company_id uuid not null,
      service_id uuid not null,
      field_id uuid not null,
      place integer not null,
      primary key (service_id, field_id),
      foreign key (company_id, service_id) references services.service (company_id, id)
    );
    create index share_field_field on services.share_field (company_id, field_id);

    create table services.share_photo (
      company_id uuid not null,
      service_id uuid not null,
      photo_id uuid not null,
      added_at timestamptz not null,
      primary key (service_id, photo_id),
      foreign key (company_id, service_id) references services.service (company_id, id)
    );
    create index share_photo_photo on services.share_photo (company_id, photo_id);

    create table services.log (
      company_id uuid not null,
      service_id uuid not null,
      id uuid not null,
      type text not null check (type in ('webhook', 'email', 'purge', 'client', 'config')),
      message text not null,
      metadata jsonb not null,
      created_at timestamptz not null,
      primary key (service_id, id)
    );
    create index log_created on services.log (created_at);

    -- The number of rows in the log of a service.
    create table services.log_head (
      company_id uuid not null,
      service_id uuid primary key,
      rows integer not null check (rows >= 0)
    );
  `),
  '2240_services_deleted': sqlMigration(`
    -- A deleted service of which the company keeps evidence, with the key that opens it. Another service may have its code.
    create table services.deleted_service (
      company_id uuid not null,
      id uuid not null unique,
      name text not null,
      share_code text not null,
      admin_email text not null,
      audience text not null,
      number_matching boolean not null,
      require_2fa boolean not null,
      public_key text not null,
      encrypted_private_key jsonb not null,
      rev bigint not null,
      created_at timestamptz not null,
      deleted_at timestamptz not null,
      primary key (company_id, id)
    );
  `),
}
