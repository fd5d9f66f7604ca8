import type { ClientId, Secret, ServiceId, UserId } from '@sealpost/kernel'
import type { Level } from '@sealpost/protocol'
import { type ClientDirectory, revokeClientTokens } from './modules/access/index.ts'
import { type AccountNeeds, createAccount, eraseAccount, type NewAccount, setLevel } from './modules/account/index.ts'
import { type ClientsNeeds, type IssuedClient, putDataClient } from './modules/clients/index.ts'
import { type LoginNeeds, setPassword } from './modules/login/index.ts'
import { createService, type NewService } from './modules/services/index.ts'

/** The operations of the modules, bound to their needs: for routes, jobs and the command line. */
export type RegionOperations = ReturnType<typeof bindOperations>

interface OperationNeeds {
  readonly account: AccountNeeds
  readonly clients: ClientsNeeds
  readonly login: LoginNeeds
}

export function bindOperations({ account, clients, login }: OperationNeeds, directory: ClientDirectory) {
  const { database, clock } = account
  const access = { database, clock, directory }
  return {
    setLevel: (company: UserId, level: Level) => setLevel(account, company, level),
    eraseAccount: (userId: UserId) => eraseAccount(account, userId),
    createAccount: (fresh: NewAccount, shareCode?: string) => createAccount(account, fresh, shareCode),
    setPassword: (userId: UserId, verifier: Secret<string>) => setPassword(login, userId, verifier),
    createService: (service: NewService) => createService({ database, clock }, service),
    registerDataClient: (companyId: UserId, id: ServiceId, chosen: IssuedClient) =>
      putDataClient(clients, { companyId, id }, chosen),
    revokeClientTokens: (company: UserId, client: ClientId) => revokeClientTokens(access, company, client),
  }
}
