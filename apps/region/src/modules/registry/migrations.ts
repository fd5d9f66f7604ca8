import { type MigrationSet, sqlMigration } from '@sealpost/postgres'

export const registryMigrations: MigrationSet = {
  '0900_registry_create': sqlMigration(`
    create schema registry;

    -- The types that the operator of this region added; those of the platform are code.
    create table registry.field_type (
      type text primary key,
      position bigint generated always as identity,
      parent text,
      label text not null,
      input text,
      lane text,
      "check" text,
      options jsonb,
      fields jsonb,
      validation text,
      is_system boolean not null check (not is_system),
      created_at timestamptz not null
    );

    -- Names the present rows, so that a process that built the registry once knows whether it still holds.
    create table registry.revision (
      is_only boolean primary key check (is_only),
      digest text not null
    );

    create table registry.contact_field (
      owner_id uuid not null,
      id uuid not null,
      slug text not null,
      label text not null,
      type text not null,
      usertype text not null check (usertype in ('person', 'company', 'any')),
      created_at timestamptz not null,
      primary key (owner_id, id),
      unique (owner_id, slug)
    );
  `),
}
