export { answerRegions } from './bus.ts'
export { directoryMigrations } from './migrations.ts'
export { type ClientRow, findClient, listRegionsOutOfOrder, replaceSecretHash } from './store.ts'
