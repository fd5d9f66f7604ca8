import { basename, relative, sep } from 'node:path'
import { relativeTarget, visitImports } from '../imports.ts'
import type { Place } from '../place.ts'
import { rule } from '../rule.ts'

type Side = 'service-side' | 'customer-side'

/**
 * The two parties of a connection may be in different regions, so a direct call between the sides would pass every test
 * with one region and fail across regions. The sides communicate in `bus.ts`; `module.ts` starts both, and `index.ts` may
 * re-export both.
 */
export const sides = rule('service-side and customer-side meet only in bus.ts', (place, report) => {
  const name = basename(place.file)
  if (place.isTest || name === 'bus.ts' || name === 'module.ts') return {}
  const own = sideOf(place, place.file)
  let met = own
  return visitImports((found) => {
    const target = relativeTarget(found, place)
    const side = target === null ? null : sideOf(place, target)
    if (side === null || (name === 'index.ts' && own === null && found.isReexport)) return
    if (met !== null && met !== side) report(found.node, `${met} and ${side} meet only in bus.ts`)
    met ??= side
  })
})

function sideOf(place: Place, file: string): Side | null {
  const folders = relative(place.package.folder, file).split(sep)
  if (folders.includes('service-side')) return 'service-side'
  return folders.includes('customer-side') ? 'customer-side' : null
}
