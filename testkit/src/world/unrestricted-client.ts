import { runStatement } from '@sealpost/postgres'
import type { Calls } from '../people/client-calls.ts'
import { demand } from '../people/contact-data.ts'
import { insideOf } from './inside.ts'
import type { World } from './world.ts'

/** Calls of a data client with a pattern that matches every path, at a process of eu that has just read it. */
export async function unrestrictedClient(world: World): Promise<Calls> {
  const service = await world.service()
  const sql = `update access.client set patterns = '{*}' where company_id = $1`
  await insideOf(world.eu).database.transaction((tx) => runStatement(tx, sql, [service.company.companyId]))
  service.moveTo((await world.another('eu')).url ?? '')
  // A path without a route answers 404 only if a pattern matches it.
  await demand(service.data('GET', '/api/no-such-thing'), 404)
  return service.data
}
