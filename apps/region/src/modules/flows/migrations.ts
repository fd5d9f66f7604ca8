import { type MigrationSet, sqlMigration } from '@sealpost/postgres'

export const flowsMigrations: MigrationSet = {
  '1900_flows_service_create': sqlMigration(`
    create schema flows_service;

    -- A flow and its draft.
    create table flows_service.flow (
      company_id uuid not null,
      service_id uuid not null,
      id uuid not null,
      name text not null,
      -- JSON text: jsonb would change the order of members and refuse some texts.
      definition text not null,
      -- The number of the latest version; null until the first one is published.
      published_version integer,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      -- A deleted flow with versions keeps its row for the runs that pinned one of them.
      archived_at timestamptz,
      primary key (company_id, service_id, id)
    );

    -- Rows are inserted once and never changed.
    create table flows_service.version (
      company_id uuid not null,
      service_id uuid not null,
      flow_id uuid not null,
      version integer not null,
      name text not null,
      definition text not null,
      published_at timestamptz not null,
      -- The user who published it.
      published_by uuid not null,
      -- The fields that customers answer, as lists of request fields show them.
      customer_fields jsonb not null,
      primary key (company_id, service_id, flow_id, version)
    );
  `),
  '1901_flows_service_assets': sqlMigration(`
    -- Files of a flow: PDF templates and pictures. A file never changes, so a version that names one keeps it.
    create table flows_service.asset (
      company_id uuid not null,
      service_id uuid not null,
      flow_id uuid not null,
      key text not null,
      kind text not null check (kind in ('pdf', 'image')),
      mime_type text not null,
      original_name text not null,
      object_key text not null,
      sha256 text not null,
      bytes bigint not null,
      -- The tags that were found in a template.
      scan jsonb,
      created_at timestamptz not null,
      -- Deleted from the draft, and named by a version.
      deleted_at timestamptz,
      primary key (company_id, service_id, flow_id, key)
    );
    create index asset_objects on flows_service.asset (object_key);

    -- The files that a version names.
    create table flows_service.version_asset (
      company_id uuid not null,
      service_id uuid not null,
      flow_id uuid not null,
      asset_key text not null,
      version integer not null,
      primary key (company_id, service_id, flow_id, asset_key, version)
    );
  `),
  '2230_flows_service_version_plugins': sqlMigration(`
    -- The plugins that elements of the definition name; null in rows of the previous release.
    alter table flows_service.version add column plugin_ids text[];
  `),
}
