import { busMigrations } from '@sealpost/bus'
import { joinMigrations, type MigrationSet, sqlMigration } from '@sealpost/postgres'

/** `sent`: a row written in the transaction of its tell. `received`: written by the handler of a tell, numbered in its order. */
const create = `
create table sent (
  connection integer not null,
  n          integer not null,
  run        text    not null,
  primary key (connection, n)
);
create table received (
  no         bigserial primary key,
  connection integer   not null,
  n          integer   not null,
  run        text      not null
);
create index received_connection on received (connection, no)`

export const regionMigrations: MigrationSet = joinMigrations(busMigrations, {
  '0001_chaos_create': sqlMigration(create),
})
