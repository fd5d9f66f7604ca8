import { isBuiltin } from 'node:module'
import { dirname } from 'node:path'
import { importRule, packageName, relativeTarget } from '../imports.ts'
import { isProduct, mayImport, TESTKIT } from '../layers.ts'
import { packageOf } from '../place.ts'

export const layers = importRule('arrows between layers only point down', ({ specifier }, place) => {
  if (place.layer !== null && isProduct(place.layer) && !place.isTest && isFixture(specifier))
    return 'only tests use a testing/ folder'
  const name = packageName(specifier)
  if (name === PARTS && place.package.name !== '@sealpost/ui')
    return `only @sealpost/ui uses ${PARTS}: an app uses its parts`
  const target = name === null ? undefined : place.repository.packages.get(name)
  if (place.layer === null || target === undefined || name === place.package.name) return null
  if (place.isTest && name === TESTKIT) return null
  if (mayImport(place.layer, target.layer)) return null
  if (name === TESTKIT) return `only tests and the top-level folders use ${TESTKIT}`
  return `${place.layer}/ may not import ${specifier}, which is in ${target.layer}/: arrows only point down`
})

/** Another library of accessible parts is a change in one package. */
const PARTS = '@base-ui/react'

function isFixture(specifier: string): boolean {
  return specifier.split('/').includes('testing')
}

export const declaredDependencies = importRule('a package imports what its package.json declares', (found, place) => {
  const name = packageName(found.specifier)
  if (name === null || name === place.package.name || place.package.declared.has(name)) return null
  if (isBuiltin(name)) return `write node:${found.specifier}, so that it cannot be mistaken for a package`
  if (place.isTest && (name === TESTKIT || place.repository.rootTools.has(name))) return null
  return `${name} is not declared in the package.json of ${place.package.name}`
})

export const ownPackage = importRule('a relative import stays inside its package', (found, place) => {
  const target = relativeTarget(found, place)
  if (target === null || packageOf(dirname(target)).folder === place.package.folder) return null
  return `${found.specifier} leaves ${place.package.name}: import the other package by its name`
})
