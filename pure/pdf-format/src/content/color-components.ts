import type { PdfDocument } from '../reader/document.ts'
import { isArray, isDict, isName, isStream, type PdfObject } from '../reader/objects.ts'
import { ambiguous } from '../refusal.ts'

const COMPONENTS: Readonly<Record<string, number>> = {
  DeviceGray: 1,
  CalGray: 1,
  Separation: 1,
  DeviceRGB: 3,
  CalRGB: 3,
  Lab: 3,
  DeviceCMYK: 4,
  Pattern: 0,
}

/** How many numbers a color of this space has. */
export function componentsOf(document: PdfDocument, space: PdfObject): number {
  const [head, second] = isArray(space) ? space.items.map((item) => document.resolve(item)) : [space]
  if (!isName(head)) throw ambiguous('a color space that is none')
  if (head.name === 'DeviceN') return namesOf(second ?? null)
  if (head.name === 'ICCBased') return profileComponents(document, second ?? null)
  if (head.name === 'CalGray' || head.name === 'CalRGB') requireWhite(document, second ?? null)
  if (head.name === 'Separation' && isName(second ?? null, 'None')) throw ambiguous('an ink that is not printed')
  const known = COMPONENTS[head.name]
  if (known === undefined) throw ambiguous('an unknown color space')
  return known
}

function namesOf(names: PdfObject): number {
  if (!isArray(names) || names.items.length === 0) throw ambiguous('inks without names')
  if (names.items.every((item) => isName(item, 'None'))) throw ambiguous('inks that are not printed')
  return names.items.length
}

/** Without a white point or with a gamma of zero, viewers draw black, white or nothing. */
function requireWhite(document: PdfDocument, members: PdfObject): void {
  const point = isDict(members) ? document.get(members, 'WhitePoint') : null
  const white = isArray(point) ? point.items.map((item) => document.resolve(item)) : []
  const gamma = isDict(members) ? (document.get(members, 'Gamma') ?? 1) : null
  const gammas = isArray(gamma) ? gamma.items.map((item) => document.resolve(item)) : [gamma]
  if (white.length !== 3 || ![...white, ...gammas].every(isPositive)) throw ambiguous('a color space without a white')
}

function isPositive(value: PdfObject): boolean {
  return typeof value === 'number' && value > 0
}

function profileComponents(document: PdfDocument, profile: PdfObject): number {
  const components = isStream(profile) ? document.get(profile.dict, 'N') : null
  if (components !== 1 && components !== 3 && components !== 4) throw ambiguous('a profile without a number of colors')
  return components
}
