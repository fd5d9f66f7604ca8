import { readSettings, Secret } from '@sealpost/kernel'
import { systemClock, systemIds, systemRandom } from '@sealpost/process'
import { ApiError } from '@sealpost/protocol'
import { openRegionOperations, type RegionOperations, regionSettings } from '@sealpost/region'
import { companies, type CompanyPersona, type PersonPersona, persons } from '../personas.ts'
import type { InstallationEnvironment } from './environment.ts'

const ATTEMPTS = 5

/** Puts the personas into a running installation, through the same operations that routes use. Repeating it changes nothing. */
export async function seedInstallation(environment: InstallationEnvironment): Promise<void> {
  await Promise.all([seedRegion(environment, 'eu'), seedRegion(environment, 'us')])
}

async function seedRegion(environment: InstallationEnvironment, code: 'eu' | 'us'): Promise<void> {
  const region = await openRegionOperations(readSettings(regionSettings, environment[code]), {
    clock: systemClock,
    ids: systemIds(),
    random: systemRandom,
  })
  try {
    const here = (persona: { readonly region: string }): boolean => persona.region === code
    for (const company of companies.filter(here)) await repeat(() => seedCompany(region, company))
    for (const person of persons.filter(here)) await repeat(() => seedPerson(region, person))
  } finally {
    await region.close()
  }
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

async function seedCompany(region: RegionOperations, company: CompanyPersona): Promise<void> {
  const { companyId, companyName, serviceId, serviceName, service, email, shareCode, login } = company
  const { kdf, keys, recoveryKeys } = login
  const account = { id: companyId, userType: 'company', email, displayName: companyName, language: 'en' } as const
  await region.createAccount({ ...account, level: 'pro', kdf, keys, recoveryKeys }, shareCode)
  await region.setPassword(companyId, new Secret(login.authVerifier))
  const { passphrase: _, ...facts } = service
  await region.createService({ companyId, id: serviceId, name: serviceName, ...facts })
  await region.registerDataClient(companyId, serviceId, {
    clientId: company.clientId,
    secret: new Secret(company.clientSecret),
  })
}

async function seedPerson(region: RegionOperations, person: PersonPersona): Promise<void> {
  const { userId, displayName, email, shareCode, login } = person
  const { kdf, keys, recoveryKeys } = login
  const account = { id: userId, userType: 'person', email, displayName, language: 'en' } as const
  await region.createAccount({ ...account, level: 'free', kdf, keys, recoveryKeys }, shareCode)
  await region.setPassword(userId, new Secret(login.authVerifier))
}
