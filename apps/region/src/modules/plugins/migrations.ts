import { type MigrationSet, sqlMigration } from '@sealpost/postgres'

export const pluginsMigrations: MigrationSet = {
  '2000_plugins_create': sqlMigration(`
    create schema plugins;

    create table plugins.plugin (
      company_id uuid not null,
      id uuid not null,
      base_url text,
      builtin_key text,
      token bytea,
      token_key_id text,
      description jsonb,
      refreshed_at timestamptz,
      last_error text,
      created_at timestamptz not null,
      primary key (company_id, id),
      check ((base_url is null) <> (builtin_key is null)),
      check ((token is null) = (token_key_id is null))
    );
    create unique index on plugins.plugin (company_id, base_url) where base_url is not null;
    create unique index on plugins.plugin (company_id, builtin_key) where builtin_key is not null;
    create index on plugins.plugin (token_key_id, id) where token_key_id is not null;

    create table plugins.use (
      company_id uuid not null,
      plugin_id uuid not null,
      kind text not null,
      used_by text not null,
      ref_id text not null,
      name text not null,
      primary key (company_id, plugin_id, kind, used_by, ref_id, name),
      foreign key (company_id, plugin_id) references plugins.plugin
    );
    create index on plugins.use (company_id, used_by);
  `),
}
