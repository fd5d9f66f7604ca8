import { busMigrations } from '@sealpost/bus'
import { joinMigrations, type MigrationSet, sqlMigration } from '@sealpost/postgres'

/** `told`: a business row, written in the transaction of its tell. `heard`: what a tell's handler wrote, in its order. */
const create = `
create table told (
  connection integer not null,
  n          integer not null,
  life       text    not null,
  primary key (connection, n)
);
create table heard (
  no         bigserial primary key,
  connection integer   not null,
  n          integer   not null,
  life       text      not null
);
create index heard_connection on heard (connection, no)`

export const regionMigrations: MigrationSet = joinMigrations(busMigrations, {
  '0001_chaos_create': sqlMigration(create),
})
