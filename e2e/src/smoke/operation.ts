import { readSettings } from '@sealpost/kernel'
import { systemClock, systemIds, systemRandom } from '@sealpost/process'
import { openRegionOperations, regionSettings } from '@sealpost/region'
import { ServiceClient } from '@sealpost/sdk'
import { appProcess, harborline, type Installation, northwind, reservePort } from '@sealpost/testkit'
import type { Checks } from './checks.ts'
import { isWhoami, json, requestToken } from './wire.ts'

/** Two API processes, and a third one that revokes, like an operator's command. */
export async function checkRevocation(checks: Checks, { frontDoor, eu, environment }: Installation): Promise<void> {
  const [port, internal] = await Promise.all([reservePort(), reservePort()])
  const own = { LISTEN_PORT: String(port.port), INTERNAL_PORT: String(internal.port) }
  const second = appProcess({ name: 'region eu (2)', app: 'region', environment: { ...environment.eu, ...own } })
  await second.start()
  const token = await requestToken(frontDoor.url, northwind)
  const statuses = (): Promise<number[]> => {
    const headers = { authorization: `Bearer ${String(token['access_token'])}` }
    return Promise.all(
      [eu, second].map(async ({ url }) => (await fetch(`${url}/api/company-data/whoami`, { headers })).status),
    )
  }
  checks.check('two processes of a region accept a token', (await statuses()).join() === '200,200')
  const region = await openRegionOperations(readSettings(regionSettings, environment.eu), {
    clock: systemClock,
    ids: systemIds(),
    random: systemRandom,
  })
  await region.revokeClientTokens(northwind.companyId, northwind.clientId)
  await region.close()
  checks.check('once it is revoked, both refuse it', (await statuses()).join() === '401,401')
  await second.stop()
}

/** Apps are killed and restarted. */
export async function checkOutage(checks: Checks, { frontDoor, us }: Installation): Promise<void> {
  await us.kill()
  const { clientId, clientSecret } = northwind
  const client = new ServiceClient({ frontDoorUrl: frontDoor.url, clientId, clientSecret })
  checks.check('with one region down the other serves', (await client.whoami()).service_id === northwind.serviceId)
  const token = await requestToken(frontDoor.url, harborline)
  checks.check('tokens for the region that is down are still issued', token['api_url'] === us.url)
  await us.start()
  const back = new ServiceClient({
    frontDoorUrl: frontDoor.url,
    clientId: harborline.clientId,
    clientSecret: harborline.clientSecret,
  })
  checks.check('the region is up again', (await back.whoami()).service_id === harborline.serviceId)
  await frontDoor.kill()
  const headers = { authorization: `Bearer ${String(token['access_token'])}` }
  const alone = await json(`${us.url}/api/company-data/whoami`, headers)
  checks.check('with the front door down a token still works', isWhoami(alone, harborline))
  await us.stop()
  await us.start()
  const restarted = await json(`${us.url}/api/company-data/whoami`, headers)
  checks.check('a region that starts while the front door is down still has its keys', isWhoami(restarted, harborline))
}
