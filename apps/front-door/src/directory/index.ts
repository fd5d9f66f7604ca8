export { directoryMigrations } from './migrations.ts'
export { type ClientRow, findClient, findRegionOfAccount, listRegionsOutOfOrder } from './store.ts'
