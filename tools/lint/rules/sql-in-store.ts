import { importRule, packageName } from '../imports.ts'
import { isProduct } from '../layers.ts'
import type { Place } from '../place.ts'

const DRIVERS = ['kysely', 'pg']
const STATEMENTS = ['queries', 'runStatement', 'sqlMigration', '*']

export const sqlInStore = importRule('store.ts is the only place with SQL', (found, place) => {
  if (found.isTypeOnly || !isBound(place) || isStore(place.path)) return null
  const name = packageName(found.specifier) ?? ''
  const speaksSql =
    DRIVERS.includes(name) || (name === '@sealpost/postgres' && found.names.some((taken) => STATEMENTS.includes(taken)))
  return speaksSql ? `SQL lives in store.ts, store/ or migrations: ${found.specifier} is not for ${place.path}` : null
})

/** Tests look into tables, and the top-level folders build and break databases; everything that is shipped obeys. */
function isBound(place: Place): boolean {
  if (place.layer === null || !isProduct(place.layer) || place.isTest) return false
  return place.package.name !== '@sealpost/postgres'
}

export function isStore(path: string): boolean {
  return /(^|\/)(store|migrations)(\.ts$|\/)/.test(path)
}
