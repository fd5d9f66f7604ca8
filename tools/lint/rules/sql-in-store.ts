import { importRule, packageName } from '../imports.ts'
import { isProduct } from '../layers.ts'
import type { Place } from '../place.ts'

const DRIVERS = ['pg']
const STATEMENTS = ['runStatement', 'sqlMigration', '*']

export const sqlInStore = importRule('store/ is the only place with SQL', (found, place) => {
  if (found.isTypeOnly || !isBound(place) || isStore(place.path)) return null
  const name = packageName(found.specifier) ?? ''
  const usesSql =
    DRIVERS.includes(name) ||
    (name === '@sealpost/postgres' && found.names.some((imported) => STATEMENTS.includes(imported)))
  return usesSql ? `SQL belongs in store/ or migrations.ts: ${found.specifier} may not be used in ${place.path}` : null
})

/** All shipped code except io/postgres; tests and the top-level folders are exempt. */
function isBound(place: Place): boolean {
  if (place.layer === null || !isProduct(place.layer) || place.isTest) return false
  return place.package.name !== '@sealpost/postgres'
}

export function isStore(path: string): boolean {
  return /(^|\/)(store|migrations)(\.ts$|\/)/.test(path)
}
