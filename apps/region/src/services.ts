import { type Bus, parseParty } from '@sealpost/bus'
import type { Clock, Ids, RegionCode, UserId } from '@sealpost/kernel'
import type { Database } from '@sealpost/postgres'
import { hasSecondFactorAsk } from '@sealpost/protocol'
import type { Telemetry } from '@sealpost/telemetry'
import { awaitGuards } from './modules/access/index.ts'
import { findDelegateRegion } from './modules/account/index.ts'
import { endClientsOfService } from './modules/clients/index.ts'
import { hasSecondFactor } from './modules/login/index.ts'
import type { ServiceHooks, ServiceJobSteps, ServicesNeeds } from './modules/services/index.ts'

export interface OpenServicesNeeds {
  readonly region: RegionCode
  readonly database: Database
  readonly bus: Bus
  readonly clock: Clock
  readonly ids: Ids
  readonly telemetry: Telemetry
}

/** What services stand on: whoever is above them hands in what it does with hooks and steps. */
export function openServices(
  needs: OpenServicesNeeds,
  { hooks, steps }: { readonly hooks: ServiceHooks; readonly steps: ServiceJobSteps },
): ServicesNeeds {
  const { database, clock, ids, telemetry } = needs
  return {
    database,
    clock,
    ids,
    log: telemetry.log,
    hooks,
    steps,
    endClients: (tx, { companyId, serviceId }) => endClientsOfService(tx, { clock, ids }, companyId, serviceId),
    settle: (revision) => awaitGuards(database, revision),
    hasSecondFactor: (companyId, userId) => askSecondFactor(needs, companyId, userId),
  }
}

/** The home of the account knows: this region of a company, any of a delegate. */
async function askSecondFactor(
  { region, database, bus }: OpenServicesNeeds,
  companyId: UserId,
  userId: UserId,
): Promise<boolean> {
  const home =
    userId === companyId ? region : await database.read((read) => findDelegateRegion(read, companyId, userId))
  if (home === null) return false
  if (home === region) return database.read((read) => hasSecondFactor(read, userId))
  const answer = await bus.ask(hasSecondFactorAsk, { to: parseParty(home), body: { user_id: userId } })
  return answer.is_enabled
}
