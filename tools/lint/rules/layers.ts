import { importRule, packageName } from '../imports.ts'
import { mayImport, TESTKIT } from '../layers.ts'

export const layers = importRule('arrows between layers only point down', ({ specifier }, place) => {
  const name = packageName(specifier)
  const target = name === null ? undefined : place.repository.packages.get(name)
  if (place.layer === null || target === undefined || name === place.package.name) return null
  if (place.isTest && name === TESTKIT) return null
  if (mayImport(place.layer, target.layer)) return null
  if (name === TESTKIT) return `only tests and the top-level folders use ${TESTKIT}`
  return `${place.layer}/ may not import ${specifier}, which is in ${target.layer}/: arrows only point down`
})
