import { type MigrationSet, sqlMigration } from '@sealpost/postgres'

export const servicesMigrations: MigrationSet = {
  '0400_services_create': sqlMigration(`
    create schema services;

    create table services.service (
      company_id uuid not null,
      id uuid not null,
      name text not null,
      created_at timestamptz not null,
      primary key (company_id, id)
    );
  `),
}
