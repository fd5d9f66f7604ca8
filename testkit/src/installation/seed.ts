import { readSettings, Secret } from '@sealpost/kernel'
import { systemClock, systemIds, systemRandom } from '@sealpost/process'
import { openRegionOperations, regionSettings } from '@sealpost/region'
import { companies, type CompanyPersona } from '../personas.ts'
import type { InstallationEnvironment } from './environment.ts'

/** Puts the demo companies into a running installation, through the same operations that routes use. Repeating it changes nothing. */
export async function seedInstallation(environment: InstallationEnvironment): Promise<void> {
  await Promise.all(companies.map((company) => seedCompany(environment, company)))
}

async function seedCompany(environment: InstallationEnvironment, company: CompanyPersona): Promise<void> {
  const variables = company.region === 'eu' ? environment.eu : environment.us
  const region = await openRegionOperations(readSettings(regionSettings, variables), {
    clock: systemClock,
    ids: systemIds(),
    random: systemRandom,
  })
  try {
    await region.createCompany({ id: company.companyId, displayName: company.companyName, level: 'pro' })
    await region.createService({ companyId: company.companyId, id: company.serviceId, name: company.serviceName })
    await region.registerDataClient(company.companyId, company.serviceId, {
      clientId: company.clientId,
      secret: new Secret(company.clientSecret),
    })
  } finally {
    await region.close()
  }
}
