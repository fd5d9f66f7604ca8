import { dirname } from 'node:path'
import { importRule, relativeTarget } from '../imports.ts'
import { packageOf } from '../place.ts'

export const ownPackage = importRule('a relative import stays inside its package', (found, place) => {
  const target = relativeTarget(found, place)
  if (target === null || packageOf(dirname(target)).folder === place.package.folder) return null
  return `${found.specifier} leaves ${place.package.name}: import the other package by its name`
})
