import { readSettings, Secret, type UserId } from '@sealpost/kernel'
import { systemClock, systemIds, systemRandom } from '@sealpost/process'
import { ApiError } from '@sealpost/protocol'
import { openRegionOperations, type RegionOperations, regionSettings } from '@sealpost/region'
import { companies, type CompanyPersona, type PersonPersona, persons } from '../personas.ts'
import type { InstallationEnvironment } from './environment.ts'

const ATTEMPTS = 5

/** What is needed of a region to put personas into it. */
export interface SeededRegion {
  readonly operations: Pick<RegionOperations, 'createAccount' | 'createService' | 'registerDataClient'>
  readonly setPassword: (userId: UserId, authVerifier: string) => Promise<void>
}

/** Puts the personas into a running installation, through the same operations that routes use. Repeating it changes nothing. */
export async function seedInstallation(environment: InstallationEnvironment): Promise<void> {
  await Promise.all([openAndSeed(environment, 'eu'), openAndSeed(environment, 'us')])
}

async function openAndSeed(environment: InstallationEnvironment, code: 'eu' | 'us'): Promise<void> {
  const operations = await openRegionOperations(readSettings(regionSettings, environment[code]), {
    clock: systemClock,
    ids: systemIds(),
    random: systemRandom,
  })
  try {
    const setPassword: SeededRegion['setPassword'] = (userId, authVerifier) =>
      operations.setPassword(userId, new Secret(authVerifier))
    await seedRegion({ operations, setPassword }, code)
  } finally {
    await operations.close()
  }
}

export async function seedRegion(region: SeededRegion, code: 'eu' | 'us'): Promise<void> {
  const here = (persona: { readonly region: string }): boolean => persona.region === code
  for (const company of companies.filter(here)) await repeat(() => seedCompany(region, company))
  for (const person of persons.filter(here)) await repeat(() => seedPerson(region, person))
}

/** On a machine with much else to do, the directory may not answer within the time that a caller waits. */
async function repeat(seed: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await seed()
    } catch (error) {
      const isLate = error instanceof ApiError && error.key === 'region.unreachable'
      if (!isLate || attempt === ATTEMPTS) throw error
    }
  }
}

async function seedCompany({ operations, setPassword }: SeededRegion, company: CompanyPersona): Promise<void> {
  const { companyId, companyName, serviceId, serviceName, service, email, shareCode, login } = company
  const { kdf, keys, recoveryKeys } = login
  const account = { id: companyId, userType: 'company', email, displayName: companyName, language: 'en' } as const
  await operations.createAccount({ ...account, level: 'pro', kdf, keys, recoveryKeys }, shareCode)
  await setPassword(companyId, login.authVerifier)
  const { passphrase: _, ...facts } = service
  await operations.createService({ companyId, id: serviceId, name: serviceName, ...facts })
  await operations.registerDataClient(companyId, serviceId, {
    clientId: company.clientId,
    secret: new Secret(company.clientSecret),
  })
}

async function seedPerson({ operations, setPassword }: SeededRegion, person: PersonPersona): Promise<void> {
  const { userId, displayName, email, shareCode, login } = person
  const { kdf, keys, recoveryKeys } = login
  const account = { id: userId, userType: 'person', email, displayName, language: 'en' } as const
  await operations.createAccount({ ...account, level: 'free', kdf, keys, recoveryKeys }, shareCode)
  await setPassword(userId, login.authVerifier)
}
