import { isBuiltin } from 'node:module'
import { importRule, packageName } from '../imports.ts'
import { TESTKIT } from '../layers.ts'

export const declaredDependencies = importRule('a package imports what its package.json declares', (found, place) => {
  const name = packageName(found.specifier)
  if (name === null || name === place.package.name || place.package.declared.has(name)) return null
  if (isBuiltin(name)) return `write node:${found.specifier}, so that it cannot be mistaken for a package`
  if (place.isTest && (name === TESTKIT || place.repository.rootTools.has(name))) return null
  return `${name} is not declared in the package.json of ${place.package.name}`
})
