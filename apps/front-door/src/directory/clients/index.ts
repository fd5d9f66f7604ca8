export { answerAboutClients } from './bus.ts'
export { type ClientRow, findClient, findClients, replaceSecretHash } from './store.ts'
